import { LlmcError } from '../base/error.ts';
import type { Instant } from '../base/ports.ts';
import type { Worker } from '../store/state.ts';
import { TRANSITIONS, transition, type WorkerEvent } from './status.ts';

/** Applies an event to a worker of a draft state; an illegal pair is refused with both names. */
export function move(worker: Worker, event: WorkerEvent, now: Instant, fields: Partial<Worker> = {}): void {
  const result = transition(worker, event);
  if (result.kind === 'refused') {
    throw new LlmcError(
      'ILLEGAL_TRANSITION',
      `${worker.name} is ${worker.status}; "${event}" is possible only from ${TRANSITIONS[event].from.join(', ')}`,
      {
        hint: `llmc why ${worker.name}`,
      },
    );
  }
  const before = event === 'went_offline' ? worker.status : null;
  Object.assign(worker, { status: result.status, status_before_offline: before, last_activity_unix: Math.floor(now / 1_000) }, fields);
}
