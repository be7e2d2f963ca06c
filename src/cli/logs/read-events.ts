import { parseDuration } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import { type Database, openReadOnly } from '../../store/database.ts';
import { findHistoryTime, historyAfter, lastSequence, sequenceBefore } from '../../store/tables/history.ts';

/** One line of `llmc events`. Scripts rely on the names: fields are added, not renamed. */
export interface EventLine {
  /** Grows with each event: `--since <seq>` continues after it. */
  readonly seq: number;
  readonly time: string;
  /** Null for the root as a whole. */
  readonly worker: string | null;
  readonly kind: string;
  /** The status of the worker after the event; null without a worker. */
  readonly status: string | null;
  readonly summary: string;
}

/** Where to begin: after an event, or with those since a moment. */
export type Since = { readonly seq: number } | { readonly at: Instant };

/** `1234` is the number of an event, `10m` a time. */
export function parseSince(text: string, now: Instant): Since {
  if (!/^\d+$/.test(text)) return { at: Math.max(0, now - parseDuration(text)) };
  const seq = Number(text);
  if (Number.isSafeInteger(seq)) return { seq };
  throw new LlmcError('INVALID_ARGUMENT', `${text} is not the number of an event`, { hint: 'llmc events --since 10m' });
}

/** So many lines at once: a root keeps a hundred thousand. */
const PAGE = 1_000;

/** Reads the history of a root page by page, and what is added later, each event once. */
export class EventReader {
  readonly #path: string;
  readonly #worker: string | undefined;
  #after: number;
  /** When the event with that number happened; undefined where there is none. */
  #at: Instant | undefined;

  /** Without `since`: only what happens from now on. */
  constructor(path: string, since: Since | undefined, worker: string | undefined) {
    this.#path = path;
    this.#worker = worker;
    using database = openReadOnly(path);
    this.#after = since === undefined ? lastSequence(database) : 'seq' in since ? since.seq : sequenceBefore(database, since.at);
    const last = lastSequence(database);
    // A restored copy may be shorter than what a script has seen.
    if (this.#after > last)
      throw new LlmcError('INVALID_ARGUMENT', `there is no event ${this.#after}: the last one is ${last}`, {
        hint: 'With those of the last hour: llmc events --since 1h',
      });
    this.#at = findHistoryTime(database, this.#after);
  }

  /** The next page; empty when there is nothing new. Opens the database each time: its owner may have replaced a damaged one. */
  next(): readonly EventLine[] {
    using database = openReadOnly(this.#path);
    const after = this.#place(database);
    const rows = historyAfter(database, after, PAGE);
    const last = rows.at(-1);
    this.#after = last?.seq ?? after;
    this.#at = last?.at ?? findHistoryTime(database, after);
    const wanted = rows.filter(({ worker }) => this.#worker === undefined || worker === this.#worker);
    // A whole page about other workers must not look like the end.
    if (wanted.length === 0 && rows.length === PAGE) return this.next();
    return wanted.map(({ seq, at, worker, kind, status, summary }) => ({
      seq,
      time: new Date(at).toISOString(),
      worker,
      kind,
      status,
      summary,
    }));
  }

  /**
   * Where to go on. Another database has other events under the same numbers: a copy that took the place of a damaged one begins with
   * events that were shown already, and a new one with none of them.
   */
  #place(database: Database): number {
    const after = this.#after;
    const last = lastSequence(database);
    if (this.#at === undefined) return after > last ? 0 : after;
    const at = findHistoryTime(database, after);
    // Old events are deleted while newer ones stay.
    const isSame = at === this.#at || (at === undefined && after < last);
    return isSame ? after : sequenceBefore(database, this.#at + 1);
  }
}
