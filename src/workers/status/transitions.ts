import type { Status } from '../../store/statuses.ts';

/** Events that move a worker in the flow of work. */
export type WorkerEvent =
  | 'assigned'
  | 'committed'
  | 'gave_answer'
  | 'stopped'
  | 'continued'
  | 'rejected'
  | 'accepted'
  | 'dismissed'
  | 'taken_back'
  | 'finished'
  | 'reset'
  | 'restored'
  | 'conflicted'
  | 'resolved'
  | 'gave_back'
  | 'failed'
  | 'went_offline'
  | 'came_back';

export type Transition =
  | { readonly kind: 'to'; readonly status: Status }
  | { readonly kind: 'refused'; readonly status: Status; readonly event: WorkerEvent };

const FINISHABLE: readonly Status[] = ['idle', 'working', 'rejected', 'needs_input', 'needs_review', 'error'];
const AT_WORK: readonly Status[] = ['working', 'rejected'];
const ONLINE: readonly Status[] = ['idle', 'working', 'needs_input', 'needs_review', 'rejected', 'rebasing', 'error'];

/** The statuses from which an event is legal, and the status after it. `came_back` leads to the status before. */
export const TRANSITIONS: Readonly<
  Record<WorkerEvent, { readonly from: readonly Status[]; readonly to: Status | 'before'; readonly meaning: string }>
> = {
  assigned: { from: ['idle'], to: 'working', meaning: 'it got a task' },
  committed: { from: FINISHABLE, to: 'needs_review', meaning: 'its turn ended with a commit to review' },
  gave_answer: {
    from: [...AT_WORK, 'needs_input', 'needs_review', 'error'],
    to: 'needs_review',
    meaning: 'its turn ended with the answer that its task asked for',
  },
  stopped: { from: [...AT_WORK, 'needs_input', 'error'], to: 'needs_input', meaning: 'it asks, or its turn ended without a commit' },
  continued: {
    from: ['idle', 'needs_input', 'needs_review', 'error', 'working'],
    to: 'working',
    meaning: 'it got a message or an answer',
  },
  rejected: { from: ['needs_review'], to: 'rejected', meaning: 'a person sent it back with feedback' },
  accepted: { from: ['needs_review'], to: 'idle', meaning: 'its commit landed' },
  dismissed: { from: ['needs_review'], to: 'idle', meaning: 'a person has read its answer' },
  taken_back: { from: ['idle'], to: 'needs_review', meaning: 'a person took its accepted work back from main' },
  finished: {
    from: [...AT_WORK, 'needs_input', 'error'],
    to: 'idle',
    meaning: 'its turn ended with the expected result, which was not a commit',
  },
  reset: { from: ONLINE, to: 'idle', meaning: 'a person reset it, or it had nothing to do' },
  restored: { from: ['idle'], to: 'needs_input', meaning: 'saved files without a commit were put back into its worktree' },
  conflicted: {
    from: ['needs_review', 'needs_input', 'error', 'rebasing'],
    to: 'rebasing',
    meaning: 'its commit conflicts with main, and its agent resolves that',
  },
  resolved: { from: ['rebasing'], to: 'needs_review', meaning: 'its commit is on main again, to review once more' },
  gave_back: { from: ['rebasing'], to: 'needs_review', meaning: 'the rebase was given up, and its commits are those from before' },
  failed: { from: ONLINE, to: 'error', meaning: 'it needs a person' },
  went_offline: { from: ONLINE, to: 'offline', meaning: 'its session ended' },
  came_back: { from: ['offline'], to: 'before', meaning: 'its session runs again' },
};

export function transition(
  worker: { readonly status: Status; readonly status_before_offline: Status | null },
  event: WorkerEvent,
): Transition {
  const rule = TRANSITIONS[event];
  if (!rule.from.includes(worker.status)) return { kind: 'refused', status: worker.status, event };
  return { kind: 'to', status: rule.to === 'before' ? (worker.status_before_offline ?? 'idle') : rule.to };
}

/** Returns the worker's status in the flow of work, also while it is offline. */
export function standing(worker: { readonly status: Status; readonly status_before_offline: Status | null }): Status {
  return worker.status === 'offline' ? (worker.status_before_offline ?? 'idle') : worker.status;
}

/** Whether a task is in progress, for the first time or after a rejection. */
export function isAtWork(status: Status): boolean {
  return AT_WORK.includes(status);
}
