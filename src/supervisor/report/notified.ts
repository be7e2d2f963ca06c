import { isDeepStrictEqual } from 'node:util';
import type { Worker } from '../../store/state.ts';
import type { Status } from '../../store/statuses.ts';
import { standing } from '../../workers/status/transitions.ts';

/** These always need a person; the others do when they have something to say. */
const CALLS_FOR_A_PERSON: readonly Status[] = ['needs_review', 'needs_input', 'error'];

export function callsForAPerson(status: Status): boolean {
  return CALLS_FOR_A_PERSON.includes(status);
}

type Subject = Pick<Worker, 'name' | 'status' | 'status_before_offline'>;

/** What a person was notified of for each worker since it last moved: the same reason calls once. */
export class Notified {
  readonly #notified = new Map<string, { status: Status; reasons: readonly unknown[] }>();

  /** Notes it, and says whether it is a reason to call. `attention` null: nothing but the status. */
  note(worker: Subject, attention: object | null): boolean {
    const status = standing(worker);
    const known = this.#notified.get(worker.name);
    const reasons = known?.status === status ? known.reasons : [];
    if (reasons.some((reason) => isDeepStrictEqual(reason, attention))) return false;
    this.#notified.set(worker.name, { status, reasons: [...reasons, attention] });
    return callsForAPerson(status) || attention !== null;
  }
}
