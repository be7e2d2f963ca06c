import type { Instant } from '../../base/ports.ts';

/** More than are shown while one command starts. */
const MOST_SHOWN = 8;
/** More terminals than people have open; one that is forgotten is shown the dialog once more. */
const MOST_READERS = 200;

interface Shown {
  readonly worker: string;
  readonly id: string;
  readonly at: Instant;
}

/**
 * The dialogs that each reader was shown in words, since the supervisor started. A reader is a terminal or a script: what one of them was
 * shown says nothing about another, and JSON is for programs, which answer by the id.
 */
export class ShownDialogs {
  readonly #byReader = new Map<string, readonly Shown[]>();

  /** A reader whom the system cannot name is shown nothing. */
  note(reader: string | undefined, shown: Shown): void {
    if (reader === undefined) return;
    const before = this.#byReader.get(reader) ?? [];
    const ofWorker = before.filter(({ worker }) => worker === shown.worker);
    const kept = ofWorker.length < MOST_SHOWN ? before : before.filter((each) => each !== ofWorker[0]);
    this.#byReader.delete(reader);
    this.#byReader.set(reader, [...kept, shown]);
    const [oldest] = this.#byReader.keys();
    if (this.#byReader.size > MOST_READERS && oldest !== undefined) this.#byReader.delete(oldest);
  }

  /**
   * The dialog that an answer without an id is for: the one that the reader had been shown last when the answer was typed. Two commands
   * that are typed at once arrive one after the other, and the second must not answer what the first one led to.
   */
  meant(reader: string | undefined, worker: string, typedAt: Instant = Number.POSITIVE_INFINITY): string | undefined {
    if (reader === undefined) return undefined;
    return this.#byReader.get(reader)?.findLast((shown) => shown.worker === worker && shown.at <= typedAt)?.id;
  }
}
