import { isDeepStrictEqual } from 'node:util';
import type { Activity, Assessment, Dialog } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import { type Attention, isAboutPrompt, type OffBranch } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import type { NewAnswer } from '../../store/tables/answers.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { reviewAttention } from '../../workers/status/review-attention.ts';
import type { WorkerEvent } from '../../workers/status/transitions.ts';
import { judgeOwner } from '../../workers/tasks/owner.ts';
import { askedBy } from '../report/attention.ts';

/** The facts of git about a worker's branch. */
export interface BranchFacts {
  readonly head: string;
  /** Commits on top of main, or of the commit that the task of a run began at. */
  readonly ahead: number;
  /** The paths of uncommitted changes. */
  readonly changed: readonly string[];
  /** Why there is nothing that a review could begin with. */
  readonly offBranch?: OffBranch | undefined;
}

export interface ProgressView {
  readonly worker: Worker;
  readonly assessment: Assessment;
  /** Deliveries that have not reached the agent yet. */
  readonly undelivered: number;
  /** Deliveries that the agent accepted and whose turn is not known to have ended. */
  readonly acked: readonly Delivery[];
  readonly screen: { readonly kind: Activity['kind']; readonly since: Instant; readonly at: Instant } | undefined;
  /** A turn ended and was not acted on yet. */
  readonly unhandledTurn: boolean;
  readonly branch: BranchFacts | undefined;
  /** The message that the turn left, or what the screen shows in its place; known with the branch. */
  readonly said: Pick<NewAnswer, 'text' | 'source' | 'cut'> | undefined;
  /** It is another one than the answer that waits to be read. */
  readonly saidMore: boolean;
  /** The last sign of progress. */
  readonly progressAt: Instant;
}

export type ProgressDecision =
  | { readonly kind: 'nothing' }
  /** The decision needs the branch facts: ask git, then decide again. */
  | { readonly kind: 'ask_git' }
  /** The status is right, but the turns of the accepted deliveries are over. */
  | { readonly kind: 'settle'; readonly why: string }
  | {
      readonly kind: 'move';
      readonly event: WorkerEvent;
      readonly fields: Partial<Worker>;
      readonly why: string;
      readonly turnOver: boolean;
    };

/** An agent that got a prompt shows work within this time, or the turn was too short to observe. */
const SETTLED_AFTER_MS = 1_200;

/** A machine that swaps or wakes up stops its processes for seconds, and a person who reads in a menu closes it. */
const UNKNOWN_PATIENCE_MS = 60_000;

/** A background task usually ends within this time, and the agent continues by itself. */
const BACKGROUND_PATIENCE_MS = 60_000;

/** A dialog that the screen still does not show after this time is reported without its choices. */
const DRAWN_WITHIN_MS = 3_000;

const NOTHING: ProgressDecision = { kind: 'nothing' };

/** Decides the next status of a worker from the activity of its agent. */
export function decideProgress(view: ProgressView, now: Instant): ProgressDecision {
  const { worker, assessment } = view;
  const { activity } = assessment;
  if (worker.status === 'offline' || worker.status === 'rebasing') return NOTHING;
  const atWork = worker.status === 'working' || worker.status === 'rejected';
  switch (activity.kind) {
    case 'awaiting_question':
      // llmc answers a dialog at the start by itself; where it cannot, it calls a person first.
      if (activity.questionType === 'startup' && !isCalled(worker.attention)) return NOTHING;
      return opened(worker, activity, assessment.rule);
    case 'awaiting_permission':
      // A hook announces the dialog without its choices, before the CLI draws it: a person who is called now could not choose.
      if (activity.choices.length === 0 && assessment.source === 'hook' && now - assessment.since < DRAWN_WITHIN_MS) return NOTHING;
      return opened(worker, activity, assessment.rule);
    case 'processing':
      if (atWork && activity.detail === 'background' && now - assessment.since >= BACKGROUND_PATIENCE_MS) return besides(view);
      // A late report may be about a turn that is over. A prompt typed by a person shows on the screen too.
      // Nothing has changed since a person was called because of the silence.
      if (worker.attention?.kind === 'stuck' && view.progressAt <= worker.attention.at_ms) return NOTHING;
      // The delivery of the prompt ends what keeps it waiting. Ended here, the next pass would find it again.
      if (view.undelivered > 0 && worker.attention !== null && isAboutPrompt(worker.attention)) return NOTHING;
      if (atWork || view.screen?.kind === 'ready' || isOlder(view.screen, assessment)) return NOTHING;
      return moved('continued', { attention: null }, `the agent started to work (${assessment.rule})`, false);
    case 'error':
      return atWork && view.undelivered === 0 && (turnIsOver(view) || readyForLong(view, now)) ? failedTurn(worker, activity) : NOTHING;
    case 'ready':
      if (worker.status === 'idle' && worker.attention !== null && !view.unhandledTurn)
        return moved('reset', { attention: null }, 'the reason for its attention is over', false);
      return view.undelivered === 0 &&
        (atWork ? turnIsOver(view) || readyForLong(view, now) : view.unhandledTurn || continuedBetweenPasses(view, now))
        ? afterTurn(view)
        : NOTHING;
    case 'unknown':
      return worker.status === 'working' && view.undelivered === 0 ? whileUnknown(assessment, now) : NOTHING;
    default:
      return NOTHING;
  }
}

/** A stopped process does nothing more, and nobody knows what an agent does whose screen cannot be read: the status must say so. */
function whileUnknown({ activity, since, rule }: Assessment, now: Instant): ProgressDecision {
  if (activity.kind !== 'unknown' || now - since < UNKNOWN_PATIENCE_MS) return NOTHING;
  const { stopped } = activity;
  const attention: Attention = stopped === undefined ? { kind: 'unreadable_screen', rule } : { kind: 'agent_stopped', pid: stopped.pid };
  return moved('stopped', { attention }, rule, false);
}

/** The screen never showed that the turn is over, because something covers it; the agent has stood at its prompt for long. */
function readyForLong({ assessment, acked }: ProgressView, now: Instant): boolean {
  return now - Math.max(assessment.since, acked.at(-1)?.acked_ms ?? 0) >= UNKNOWN_PATIENCE_MS;
}

/** A capture from before the report neither confirms nor contradicts it. */
function isOlder(screen: ProgressView['screen'], report: Assessment): boolean {
  return screen !== undefined && screen.at < report.since;
}

/** One dialog can follow another without a pass that observes the agent at work in between. */
/** A person knows about the dialog at the start. */
function isCalled(attention: Attention | null): boolean {
  return attention?.kind === 'startup_dialog' || attention?.kind === 'login';
}

function opened(worker: Worker, activity: Dialog, rule: string): ProgressDecision {
  const attention = askedBy(activity);
  const atWork = worker.status === 'working' || worker.status === 'rejected';
  if (!atWork && (worker.status !== 'needs_input' || isDeepStrictEqual(worker.attention, attention))) return NOTHING;
  return moved('stopped', { attention }, `a dialog is open (${rule})`, false);
}

/** A server left running in the background never ends, so a commit made before must not wait for it. */
function besides(view: ProgressView): ProgressDecision {
  // The files that a run waits for may be what it still makes.
  if (view.undelivered > 0 || (judgeOwner(view.worker) === 'run' && view.worker.expects !== 'commit')) return NOTHING;
  const decision = afterTurn(view);
  if (decision.kind === 'ask_git') return decision;
  // What still runs may be what the feedback asked for.
  const isUnchanged = decision.kind === 'move' && decision.fields.attention?.kind === 'commit_unchanged';
  return decision.kind === 'move' && BESIDES.includes(decision.event) && !isUnchanged ? decision : NOTHING;
}

const BESIDES: readonly WorkerEvent[] = ['committed', 'finished', 'gave_answer'];

/** A dialog was answered, and the rest of the turn ended before a pass observed the agent at work. */
function continuedBetweenPasses(view: ProgressView, now: Instant): boolean {
  return isUnfinished(view) && turnIsOver(view) && now - view.assessment.since >= SETTLED_AFTER_MS;
}

/** In the middle of a turn that stopped for a dialog. */
function isUnfinished({ worker, acked }: ProgressView): boolean {
  return worker.status === 'needs_input' && acked.length > 0;
}

function afterTurn(view: ProgressView): ProgressDecision {
  const { worker, branch } = view;
  if (branch === undefined) return { kind: 'ask_git' };
  const atWork = worker.status === 'working' || worker.status === 'rejected' || isUnfinished(view);
  if (judgeOwner(worker) === 'run') return atWork ? afterRunTurn(worker, branch) : settled(view);
  const sameCommit = branch.head === worker.commit_sha;
  if (branch.ahead > 0 && !(sameCommit && worker.status === 'rejected')) {
    if (!atWork && sameCommit) return settled(view);
    // The turn may have been about a question, for example, and have left the commit that a person had sent back.
    const kept = { came_back_unchanged: worker.came_back_unchanged && sameCommit };
    const attention: Attention = { ...reviewAttention(kept, branch.changed.length > 0), ...probably(view) };
    return moved(
      'committed',
      { commit_sha: branch.head, attention, crash_count: 0 },
      `the turn ended with a commit${evidence(view)}`,
      true,
    );
  }
  // A person asked more in the terminal of an agent whose answer waits to be read.
  if (!atWork) return worker.answer !== null && view.saidMore ? gaveAnswer(view, branch) : settled(view);
  // Rejected work is not a person's turn, also if its task is not known any more.
  if (worker.current_prompt === null && worker.status !== 'rejected' && branch.changed.length === 0 && branch.offBranch === undefined)
    return moved('reset', { attention: null }, 'a person used the agent and left no changes', true);
  if (worker.expects === 'answer' && view.said !== undefined) return gaveAnswer(view, branch);
  if (worker.expects === 'artifact' && branch.ahead === 0) {
    const why = 'the turn ended, and its task was to leave an artifact';
    return moved('finished', { current_prompt: null, attention: null, crash_count: 0 }, why, true);
  }
  if (branch.offBranch !== undefined)
    return moved('stopped', { attention: branch.offBranch }, `${OFF_BRANCH[branch.offBranch.why]}${evidence(view)}`, true);
  const kind = worker.expects === 'answer' ? 'no_answer' : sameCommit ? 'commit_unchanged' : 'no_commit';
  // The rejected commit is all there is: a person who has changed their mind can accept it.
  const isDecidable = kind === 'commit_unchanged' && worker.status === 'rejected' && branch.ahead > 0 && branch.changed.length === 0;
  return moved(
    isDecidable ? 'committed' : 'stopped',
    { attention: { kind, ...toUncommitted(branch), ...(isDecidable && { to_review: true }), ...probably(view) } },
    `${UNFINISHED[kind]}${evidence(view)}`,
    true,
  );
}

const OFF_BRANCH: Readonly<Record<OffBranch['why'], string>> = {
  unborn: 'the turn ended on a branch without a commit',
  unrelated: 'the turn ended with commits that have no history in common with main',
  unreadable: 'the turn ended, and git cannot read the worktree',
};

const UNFINISHED = {
  no_answer: 'the turn ended without an answer',
  commit_unchanged: 'the turn ended without a new commit',
  no_commit: 'the turn ended without a commit',
} as const;

/** Changed files go with the answer: nobody has to keep them, and nothing is lost. */
function gaveAnswer(view: ProgressView, { changed }: BranchFacts): ProgressDecision {
  const attention: Attention = { kind: 'answer', uncommitted: changed.length > 0, ...probably(view) };
  return moved('gave_answer', { attention, commit_sha: null, crash_count: 0 }, `the turn ended with an answer${evidence(view)}`, true);
}

/** A sentence with more names is not read. */
const MOST_NAMES = 5;

function toUncommitted({ changed }: BranchFacts): { files?: string[]; count?: number } {
  return changed.length === 0 ? {} : { files: changed.slice(0, MOST_NAMES), count: changed.length };
}

/** Silence does not prove the end of a turn, and the person has to know that. */
function probably({ assessment: { source, rule } }: ProgressView): { probably?: string } {
  return source === 'timing' ? { probably: rule } : {};
}

function evidence({ assessment: { source, rule } }: ProgressView): string {
  return source === 'timing' ? ` (probably finished: ${rule})` : '';
}

/** The run decides what a result is worth, and what follows from one that is missing. Only a commit that should be there counts here. */
function afterRunTurn({ expects }: Worker, { head, ahead, changed, offBranch }: BranchFacts): ProgressDecision {
  const commit_sha = ahead > 0 ? head : null;
  if (expects === 'commit' && offBranch !== undefined) return moved('stopped', { attention: offBranch }, OFF_BRANCH[offBranch.why], true);
  if (expects === 'commit' && commit_sha === null)
    return moved('stopped', { attention: { kind: 'no_commit', ...toUncommitted({ head, ahead, changed }) } }, UNFINISHED.no_commit, true);
  const why = `the turn ended${commit_sha === null ? '' : ' with a commit'}, and its run decides what follows`;
  return moved('finished', { current_prompt: null, attention: null, crash_count: 0, commit_sha }, why, true);
}

/** Ends the deliveries of a turn too short to observe. Left open, they would seem interrupted at the next start, and be continued. */
function settled(view: ProgressView): ProgressDecision {
  return view.acked.length > 0 && turnIsOver(view) ? { kind: 'settle', why: 'its turn is over' } : NOTHING;
}

const BY_SCREEN: readonly Delivery['ack_source'][] = ['screen', 'transcript', 'unverified'];

/**
 * A ready agent has finished its turn only if it became ready after it accepted the prompt. Its own report of the prompt gives the
 * order. Without a report, the screen must have become ready since, or have stayed ready so long that the turn was too short to observe.
 */
export function turnIsOver({ acked, screen }: Pick<ProgressView, 'acked' | 'screen'>): boolean {
  const last = acked.at(-1);
  if (last === undefined || !BY_SCREEN.includes(last.ack_source)) return true;
  if (screen?.kind !== 'ready' && screen?.kind !== 'error') return false;
  const sent = last.submitted_ms ?? last.typed_ms ?? 0;
  return screen.since > (last.acked_ms ?? 0) || (screen.since >= sent && screen.at - screen.since >= SETTLED_AFTER_MS);
}

function failedTurn(
  { failed_turn }: Worker,
  { type: error, message, recoverable }: Extract<Activity, { kind: 'error' }>,
): ProgressDecision {
  const attempts = failed_turn === null ? {} : { attempts: failed_turn.attempt };
  return recoverable
    ? moved(
        'stopped',
        { attention: { kind: 'turn_failed', error, message, ...attempts } },
        `the turn failed and may be tried again (${error})`,
        true,
      )
    : moved('failed', { attention: { kind: 'agent_blocked', error, message } }, `the turn failed for good (${error})`, true);
}

function moved(event: WorkerEvent, fields: Partial<Worker>, why: string, turnOver: boolean): ProgressDecision {
  return { kind: 'move', event, fields, why, turnOver };
}
