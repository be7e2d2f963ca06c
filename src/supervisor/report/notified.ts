import type { Worker } from '../../store/state.ts';
import type { Status } from '../../store/statuses.ts';
import { standing } from '../../workers/status/transitions.ts';

/** These always need a person; the others do when they have something to say. */
const CALLS_FOR_A_PERSON: readonly Status[] = ['needs_review', 'needs_input', 'error'];

export function callsForAPerson(status: Status): boolean {
  return CALLS_FOR_A_PERSON.includes(status);
}

type Subject = Pick<Worker, 'name' | 'status' | 'status_before_offline' | 'attention'>;

/** What a person was told of each worker since it last moved: the same reason calls once. */
export class Notified {
  readonly #told = new Map<string, { status: Status; reasons: Set<string> }>();

  /** Notes it, and says whether it is a reason to call. */
  note(worker: Subject): boolean {
    const status = standing(worker);
    const known = this.#told.get(worker.name);
    const entry = known?.status === status ? known : { status, reasons: new Set<string>() };
    this.#told.set(worker.name, entry);
    const reason = worker.attention ?? '';
    if (entry.reasons.has(reason)) return false;
    entry.reasons.add(reason);
    return callsForAPerson(status) || worker.attention !== null;
  }
}
