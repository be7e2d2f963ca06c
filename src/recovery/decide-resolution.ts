import type { Instant } from '../base/ports.ts';
import type { ResolutionPolicy } from './policies/resolution-policy.ts';

/** Where git stands in a worktree whose rebase an agent resolves. */
export type RebaseSituation =
  | {
      readonly kind: 'stopped';
      /** The commit that conflicts; undefined if git's record names none of the worker's commits. */
      readonly commit: string | undefined;
      readonly unmerged: readonly string[];
      /** Files with changes that are not staged, besides the unmerged ones. */
      readonly unstaged: readonly string[];
      /** Staged files that still have conflict markers. */
      readonly marked: readonly string[];
    }
  /** No rebase is in progress. `old`: HEAD is the commit from before; `onto-main`: it builds on main's commit. */
  | { readonly kind: 'over'; readonly at: 'old' | 'onto-main' | 'elsewhere'; readonly head: string };

export interface ResolutionView {
  readonly row: {
    readonly stop: string | null;
    readonly loops: number;
    readonly asked_ms: Instant | null;
    readonly help_ms: Instant | null;
    readonly called: string | null;
    /** The commit that was proven last. */
    readonly proven_commit: string | null;
    /** llmc itself is passing a stopped commit. */
    readonly continuing: object | null;
    /** 1: the worktree was deleted and made again, without the rebase. */
    readonly worktree_lost: number;
  };
  readonly git: RebaseSituation;
  /** `busy`: in its turn; `asks`: a dialog is open; `absent`: it is starting, gone or at a limit. */
  readonly agent: 'turn-over' | 'busy' | 'asks' | 'absent';
  /** A prompt has not reached the agent yet. */
  readonly undelivered: boolean;
  /** When git's state last changed. */
  readonly progressAt: Instant;
}

/** What the prompt has to say besides the conflict itself. */
export type AskReason = 'first' | 'next-commit' | 'unresolved' | 'unstaged' | 'markers' | 'stuck';

export type ResolutionStep =
  | { readonly kind: 'wait'; readonly why: string }
  /** The rebase is over: prove that no line was lost, then validate. */
  | { readonly kind: 'prove'; readonly why: string }
  /** Everything is staged: llmc passes the commit. */
  | { readonly kind: 'continue'; readonly why: string }
  | { readonly kind: 'ask'; readonly reason: AskReason; readonly stop: string; readonly loops: number; readonly why: string }
  | { readonly kind: 'give-back'; readonly reason: 'aborted' | 'left' | 'worktree_deleted'; readonly why: string }
  | { readonly kind: 'call'; readonly reason: 'loop' | 'stuck' | 'tampered'; readonly stop: string; readonly why: string };

const wait = (why: string): ResolutionStep => ({ kind: 'wait', why });

/** Decides the next step of a conflicting rebase: by git's state first, then by the end of the agent's turn, then by the clock. */
export function decideResolution(view: ResolutionView, policy: ResolutionPolicy, now: Instant): ResolutionStep {
  const { git, row, agent } = view;
  if (row.worktree_lost > 0 && git.kind === 'over' && git.at === 'old')
    return { kind: 'give-back', reason: 'worktree_deleted', why: 'its worktree was deleted during the rebase' };
  if (row.continuing !== null) return { kind: 'continue', why: 'llmc was stopped while it continued the rebase' };
  // An agent in its turn may abort, amend and begin again: only the end of the turn makes the state final.
  if (agent === 'busy') return ofTheClock(view, policy, now);
  if (agent !== 'turn-over') return wait(agent === 'asks' ? 'the agent asks something' : 'the agent does not run');
  if (git.kind === 'over') return whenOver(git, view);
  if (view.undelivered) return wait('a prompt is on its way');
  const stop = nameStop(git);
  if (row.called !== null && row.stop === stop) return wait('a person was called, and nothing has changed since');
  if (git.commit === undefined)
    return { kind: 'call', reason: 'tampered', stop, why: 'git’s record of the rebase names no commit of the worker' };
  const problem = findProblem(git);
  if (problem === undefined) return { kind: 'continue', why: 'everything is staged, and the rebase has not gone on' };
  return askAbout(problem, stop, view, policy);
}

function whenOver({ at, head }: Extract<RebaseSituation, { kind: 'over' }>, { row, undelivered }: ResolutionView): ResolutionStep {
  switch (at) {
    case 'onto-main':
      if (row.proven_commit === head && undelivered) return wait('what is wrong with it is on its way to the agent');
      if (row.proven_commit === head && row.called !== null) return wait('a person was called, and nothing has changed since');
      return { kind: 'prove', why: 'the rebase is over' };
    case 'old':
      return { kind: 'give-back', reason: 'aborted', why: 'the agent aborted the rebase' };
    case 'elsewhere':
      return { kind: 'give-back', reason: 'left', why: 'the agent left the rebase, and its commit does not build on main' };
  }
}

function findProblem({ unmerged, unstaged, marked }: Extract<RebaseSituation, { kind: 'stopped' }>): AskReason | undefined {
  if (unmerged.length > 0) return 'unresolved';
  if (marked.length > 0) return 'markers';
  return unstaged.length > 0 ? 'unstaged' : undefined;
}

function askAbout(problem: AskReason, stop: string, { row }: ResolutionView, policy: ResolutionPolicy): ResolutionStep {
  if (row.stop === null) return { kind: 'ask', reason: 'first', stop, loops: 1, why: 'the rebase stopped at a conflict' };
  if (row.stop === stop) {
    if (row.loops >= policy.mostLoops)
      return { kind: 'call', reason: 'loop', stop, why: `${policy.mostLoops} turns ended at the same conflict` };
    return { kind: 'ask', reason: problem, stop, loops: row.loops + 1, why: 'the turn ended at the same conflict' };
  }
  const moved = parseCommit(row.stop) !== parseCommit(stop);
  return moved
    ? { kind: 'ask', reason: 'next-commit', stop, loops: 1, why: 'another commit conflicts' }
    : { kind: 'ask', reason: problem, stop, loops: 1, why: 'the turn ended with a part of the conflict resolved' };
}

/** For an agent in its turn. The help waits until the turn ends; a person can look at once. */
function ofTheClock({ row, git, progressAt, undelivered }: ResolutionView, policy: ResolutionPolicy, now: Instant): ResolutionStep {
  if (git.kind === 'over') return wait('the rebase is over; waiting for the end of the turn');
  if (row.called !== null) return wait('a person was called');
  const still = now - Math.max(progressAt, row.asked_ms ?? 0, row.help_ms ?? 0);
  const stop = nameStop(git);
  const helped = row.help_ms !== null && row.help_ms >= progressAt;
  if (helped) {
    if (still < policy.callAfterMs) return wait('the agent has the help');
    return { kind: 'call', reason: 'stuck', stop, why: 'no progress since the help' };
  }
  if (still < policy.helpAfterMs || undelivered) return wait('the agent resolves the conflict');
  return { kind: 'ask', reason: 'stuck', stop, loops: row.loops, why: 'no progress for a while' };
}

/** Names a stop: two stops with the same name are the same conflict. */
function nameStop({ commit = '', unmerged, marked, unstaged }: Extract<RebaseSituation, { kind: 'stopped' }>): string {
  return JSON.stringify([commit, unmerged.toSorted(), marked.toSorted(), unstaged.toSorted()]);
}

const parseCommit = (stop: string): unknown => JSON.parse(stop)[0];

export interface FinishedView {
  /** Lines that neither the result has nor a trailer explains, and lines that came back. */
  readonly losses: number;
  /** Markers, an empty result, lost files, changed modes. */
  readonly hardStops: number;
  /** Whether this list went to the agent before. */
  readonly sentBack: boolean;
  readonly validated: boolean;
  /** How often the validation failed before. */
  readonly failures: number;
}

export type FinishedStep =
  /** `withLosses`: a person has to decide about them. */
  | { readonly kind: 'settle'; readonly withLosses: boolean; readonly why: string }
  | { readonly kind: 'send-back'; readonly what: 'losses' | 'validation'; readonly why: string }
  | { readonly kind: 'call'; readonly reason: 'validation'; readonly why: string };

/** Decides what follows a rebase that is over. */
export function decideFinished({ losses, hardStops, sentBack, validated, failures }: FinishedView, policy: ResolutionPolicy): FinishedStep {
  const lost = losses + hardStops > 0;
  if (lost && !sentBack) return { kind: 'send-back', what: 'losses', why: 'lines of one side are missing in the result' };
  if (!validated && failures + 1 >= policy.mostLoops)
    return { kind: 'call', reason: 'validation', why: `the validation failed ${failures + 1} times after the rebase` };
  if (!validated) return { kind: 'send-back', what: 'validation', why: 'the validation failed after the rebase' };
  return lost
    ? { kind: 'settle', withLosses: true, why: 'resolved; lines are missing, and a person decides about them' }
    : { kind: 'settle', withLosses: false, why: 'resolved, and the lines of both sides are there' };
}
