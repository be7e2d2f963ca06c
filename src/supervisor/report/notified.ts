import { isDeepStrictEqual } from 'node:util';
import type { Worker } from '../../store/state.ts';
import type { Status } from '../../store/statuses.ts';
import { standing } from '../../workers/status/transitions.ts';

/** These statuses always need a person; the others only with attention. */
const CALLS_FOR_A_PERSON: readonly Status[] = ['needs_review', 'needs_input', 'error'];

export function callsForAPerson(status: Status): boolean {
  return CALLS_FOR_A_PERSON.includes(status);
}

type Subject = Pick<Worker, 'name' | 'status' | 'status_before_offline'>;

/** The reasons a person was notified of, per worker since its last move: each reason notifies once. */
export class Notified {
  readonly #notified = new Map<string, { status: Status; reasons: readonly unknown[] }>();

  /** Records the reason and returns whether it is new. `attention` null: only the status. */
  note(worker: Subject, attention: object | null): boolean {
    const status = standing(worker);
    const known = this.#notified.get(worker.name);
    const reasons = known?.status === status ? known.reasons : [];
    if (reasons.some((reason) => isDeepStrictEqual(reason, attention))) return false;
    this.#notified.set(worker.name, { status, reasons: [...reasons, attention] });
    return callsForAPerson(status) || attention !== null;
  }
}
