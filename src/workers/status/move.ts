import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import type { Worker } from '../../store/state.ts';
import type { Status } from '../../store/statuses.ts';
import { standing, TRANSITIONS, transition, type WorkerEvent } from './transitions.ts';

/** Applies an event to a worker of a draft state; an illegal pair is refused with both names. */
export function move(worker: Worker, event: WorkerEvent, now: Instant, fields: Partial<Worker> = {}): void {
  const status = legal(worker, event);
  const before = event === 'went_offline' ? worker.status : null;
  // A person who sends a worker on after it was given up wants it tried as often as before.
  const forgiven = event === 'continued' && worker.status === 'error' ? { crash_count: 0 } : {};
  const moved = { status, status_before_offline: before, last_activity_unix: Math.floor(now / 1_000) };
  Object.assign(worker, moved, forgiven, withoutTask(status), fields);
}

/** For what a person may do also while the session is away: the event then changes where the worker stands when it comes back. */
export function moveStanding(worker: Worker, event: WorkerEvent, now: Instant, fields: Partial<Worker> = {}): void {
  if (worker.status !== 'offline') return move(worker, event, now, fields);
  const status = legal({ name: worker.name, status: standing(worker), status_before_offline: null }, event);
  Object.assign(worker, { status_before_offline: status, last_activity_unix: Math.floor(now / 1_000) }, withoutTask(status), fields);
}

/** What one task was expected to leave says nothing about the next. */
function withoutTask(status: Status): Partial<Worker> {
  return status === 'idle' ? { expects: 'commit' } : {};
}

/**
 * What the history says of a move, in the words of the table of statuses: `working → needs_review (committed): the turn ended
 * with a commit`. For what a person did while the session was away, from where it stood to where it will stand.
 */
export function moveLine(worker: Pick<Worker, 'name' | 'status' | 'status_before_offline'>, event: WorkerEvent, why: string): string {
  const from = event === 'came_back' ? worker.status : standing(worker);
  return `${from} → ${legal({ ...worker, status: from }, event)} (${event}): ${why}`;
}

function legal(worker: Pick<Worker, 'name' | 'status' | 'status_before_offline'>, event: WorkerEvent): Status {
  const result = transition(worker, event);
  if (result.kind === 'to') return result.status;
  throw new LlmcError(
    'ILLEGAL_TRANSITION',
    `${worker.name} is ${worker.status}; "${event}" is possible only from ${TRANSITIONS[event].from.join(', ')}`,
    { hint: `llmc why ${worker.name}` },
  );
}
