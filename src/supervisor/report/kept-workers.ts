import type { Database } from '../../store/database.ts';
import { forgetNotice, keepNotice, keptNotices } from '../../store/tables/kept-notices.ts';

/** The workers of the next digest, in memory and in the database: a supervisor may end before it is due. */
export class KeptWorkers {
  readonly #database: Database;
  readonly #names = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  get size(): number {
    return this.#names.size;
  }

  /** What an earlier supervisor kept and did not send. */
  leftBehind(): readonly string[] {
    return keptNotices(this.#database);
  }

  add(name: string): void {
    this.#names.add(name);
    attempt(() => keepNotice(this.#database, name));
  }

  /** Empties the memory; the rows stay until the notice went out. */
  take(): readonly string[] {
    const names = [...this.#names];
    this.#names.clear();
    return names;
  }

  /** Call it after the notice: a second one is better than none. */
  forget(names: readonly string[]): void {
    for (const name of names) if (!this.#names.has(name)) attempt(() => forgetNotice(this.#database, name));
  }
}

/** A full disk keeps no notice back. */
function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // Only a restart before the digest would lose it.
  }
}
