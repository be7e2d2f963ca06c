import type { What } from '../../model/event.ts';
import type { Turn } from '../turn.ts';

const DAY_MS = 86_400_000;
/** So long the agents of a run that failed or was aborted keep their worktrees and conversations, and its recovery is offered. */
export const KEPT_AFTER_FAILURE_MS = 7 * DAY_MS;

/** Removes the workers of a run that has ended. Each is saved first, so a later recovery makes it again from what the run has kept. */
export function dismissWorkers(turn: Turn): void {
  for (const seat of turn.run.seats) turn.perform('run', { kind: 'dismiss', seat });
  turn.change({ seats: [] });
}

/** A person may recover the run, and its agents can go on where they were. */
export function dismissLater(turn: Turn): void {
  turn.change({ dismissMs: turn.at + KEPT_AFTER_FAILURE_MS });
}

export function dismissIfDue(turn: Turn): void {
  const { dismissMs } = turn.run;
  if (dismissMs !== null && turn.at >= dismissMs) dismissWorkers(turn);
}

/** A person has not decided about the worker's work yet, or it could not be saved. */
export function stays(turn: Turn, { seat, why }: Extract<What, { kind: 'kept' }>): void {
  const { seats } = turn.run;
  turn.change({ seats: seats.includes(seat) ? seats : [...seats, seat], dismissMs: turn.at + DAY_MS });
  turn.note(null, `${seat} stays: ${why}`);
}
