import type { Instant } from '../base/ports.ts';
import type { StuckPolicy } from './policies/stuck-policy.ts';

/** How far a worker has climbed without a sign of progress. */
export interface Ladder {
  /** The last sign of progress. */
  readonly since: Instant;
  /** The rungs that are done: the first question, the check, the second question. */
  readonly rungs: 1 | 2 | 3;
  readonly askedAt: Instant;
}

export interface StuckView {
  /** The worker has a task, and nothing else handles its silence. */
  readonly atWork: boolean;
  /** The agent is in a turn, and the CLI does not retry or compact by itself. */
  readonly busy: boolean;
  /** The last sign of progress: a report, a new text on the screen, a longer transcript, a tool that uses the processor. */
  readonly progressAt: Instant;
  readonly ladder: Ladder | undefined;
  /** When the agent took the last question; undefined when it has not. */
  readonly takenAt: Instant | undefined;
  /** Whether the branch has a commit to review; undefined before git was asked. */
  readonly committed: boolean | undefined;
}

export type StuckStep =
  | { readonly kind: 'nothing'; readonly why: string }
  /** The decision needs the facts of git: ask, then decide again. */
  | { readonly kind: 'ask_git'; readonly why: string }
  | { readonly kind: 'nudge'; readonly ladder: Ladder; readonly why: string }
  | { readonly kind: 'climb'; readonly ladder: Ladder; readonly why: string }
  | { readonly kind: 'forget'; readonly why: string }
  | { readonly kind: 'review'; readonly why: string }
  | { readonly kind: 'call'; readonly quietMs: number; readonly why: string };

/** Decides about an agent that is in a turn and shows no progress. A long silent command is progress: it uses the processor. */
export function decideStuck(view: StuckView, policy: StuckPolicy, now: Instant): StuckStep {
  const { ladder, progressAt } = view;
  if (!view.atWork) return ladder === undefined ? nothing('no task is in progress') : { kind: 'forget', why: 'its task is over' };
  if (ladder !== undefined && progressAt > (view.takenAt ?? ladder.askedAt) + policy.graceMs)
    return { kind: 'forget', why: 'it makes progress again' };
  if (!view.busy) return nothing('the agent is not in a turn');
  const quietMs = now - (ladder?.since ?? progressAt);
  if (ladder === undefined) {
    if (quietMs < policy.nudgeMs) return nothing('it made progress a short time ago');
    return { kind: 'nudge', ladder: { since: progressAt, rungs: 1, askedAt: now }, why: 'it shows no progress' };
  }
  if (quietMs < dueMs(ladder, policy)) return nothing('the next rung is not due');
  if (ladder.rungs === 2)
    return { kind: 'nudge', ladder: { ...ladder, rungs: 3, askedAt: now }, why: 'it has not answered the first question' };
  if (view.committed === undefined) return { kind: 'ask_git', why: 'it may have committed' };
  if (view.committed) return { kind: 'review', why: 'it has committed and does nothing more' };
  return ladder.rungs === 1
    ? { kind: 'climb', ladder: { ...ladder, rungs: 2 }, why: 'no answer and no commit' }
    : { kind: 'call', quietMs, why: 'it answered neither question' };
}

/**
 * The ladder of a worker whose supervisor was replaced. It goes on at its rung: what the new supervisor captures first is not progress,
 * and the next rung comes a moment later at the earliest, however long nobody watched. Undefined if the agent has reported since.
 */
export function resumeLadder(
  kept: Ladder,
  reportedAt: Instant,
  takenAt: Instant | undefined,
  policy: StuckPolicy,
  now: Instant,
): Ladder | undefined {
  if (reportedAt > (takenAt ?? kept.askedAt) + policy.graceMs) return undefined;
  const earliest = now - dueMs(kept, policy) + policy.graceMs;
  return { ...kept, since: Math.min(now, Math.max(kept.since, earliest)), askedAt: now };
}

/** When the rung after this one is due, as a time without progress. */
export function dueMs(ladder: Ladder | undefined, policy: StuckPolicy): number {
  if (ladder === undefined) return policy.nudgeMs;
  return { 1: policy.checkMs, 2: policy.secondNudgeMs, 3: policy.callMs }[ladder.rungs];
}

const nothing = (why: string): StuckStep => ({ kind: 'nothing', why });
