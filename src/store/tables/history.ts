import type { Instant } from '../../base/ports.ts';
import { type Database, prepared } from '../database.ts';

/** One line of what happened and why. */
export interface HistoryEntry {
  readonly at: Instant;
  readonly worker: string | null;
  readonly kind: string;
  readonly summary: string;
  readonly details?: string;
  /** It was done about a failure. Only for those who listen. */
  readonly recovers?: boolean;
}

/** The kind of the line that says why a conversation with prompts was given up. */
export const CONVERSATION_DROPPED = 'conversation_dropped';

/** `status`: of the worker after the change. */
export function insertHistory(database: Database, entry: HistoryEntry, revision: number, status: string | null = null): void {
  prepared(database, 'INSERT INTO history (at_ms, revision, worker, kind, summary, details, status) VALUES (?, ?, ?, ?, ?, ?, ?)').run(
    entry.at,
    revision,
    entry.worker,
    entry.kind,
    entry.summary,
    entry.details ?? null,
    status,
  );
}

export interface NumberedEntry extends HistoryEntry {
  readonly seq: number;
  readonly status: string | null;
}

/** The entries after this number, oldest first. */
export function historyAfter(database: Database, seq: number, limit: number): readonly NumberedEntry[] {
  return prepared(database, 'SELECT * FROM history WHERE seq > ? ORDER BY seq LIMIT ?')
    .all(seq, limit)
    .map((row) => ({
      seq: Number(row.seq),
      at: Number(row.at_ms),
      worker: row.worker === null ? null : String(row.worker),
      kind: String(row.kind),
      status: typeof row.status === 'string' ? row.status : null,
      summary: String(row.summary),
    }));
}

export function lastSequence(database: Database): number {
  return Number(prepared(database, 'SELECT max(seq) AS seq FROM history').get()?.seq ?? 0);
}

/** When the entry with this number happened; undefined without one. */
export function findHistoryTime(database: Database, seq: number): Instant | undefined {
  const row = prepared(database, 'SELECT at_ms FROM history WHERE seq = ?').get(seq);
  return row === undefined ? undefined : Number(row.at_ms);
}

/** The number before the first entry since a moment. Times are not in order if the clock was set, so the numbers decide. */
export function sequenceBefore(database: Database, at: Instant): number {
  const row = prepared(database, 'SELECT min(seq) AS seq FROM history WHERE at_ms >= ?').get(at);
  return row === undefined || row.seq === null ? lastSequence(database) : Number(row.seq) - 1;
}

export function recentHistory(database: Database, worker: string, limit: number): readonly HistoryEntry[] {
  return prepared(database, 'SELECT * FROM history WHERE worker = ? ORDER BY seq DESC LIMIT ?')
    .all(worker, limit)
    .map((row) => ({
      at: Number(row.at_ms),
      worker: row.worker === null ? null : String(row.worker),
      kind: String(row.kind),
      summary: String(row.summary),
      ...(row.details !== null && { details: String(row.details) }),
    }));
}

/** When the agent that a worker has now was launched; undefined when the history does not reach back that far. */
export function lastLaunchAt(database: Database, worker: string): Instant | undefined {
  const row = prepared(database, "SELECT max(at_ms) AS at_ms FROM history WHERE worker = ? AND kind = 'launch'").get(worker);
  return row?.at_ms === null || row === undefined ? undefined : Number(row.at_ms);
}

/** What agents changed in the root's `.git`, and llmc put back. */
export interface TamperingSummary {
  readonly times: number;
  readonly lastAt: Instant;
  readonly worker: string | null;
  readonly summary: string;
}

/** The changes since then; undefined without any. SQLite takes `worker` and `summary` from the row with the latest time. */
export function tamperingSince(database: Database, since: Instant): TamperingSummary | undefined {
  const query = "SELECT count(*) AS times, max(at_ms) AS at_ms, worker, summary FROM history WHERE kind = 'tampering' AND at_ms >= ?";
  const row = prepared(database, query).get(since);
  if (row === undefined || Number(row.times) === 0) return undefined;
  const worker = row.worker === null ? null : String(row.worker);
  return { times: Number(row.times), lastAt: Number(row.at_ms), worker, summary: String(row.summary) };
}

/** Some months of a busy root, in about 20 MB. The logs hold the same and rotate by themselves. */
const HISTORY_KEPT = 100_000;

export function pruneHistory(database: Database): void {
  database.prepare('DELETE FROM history WHERE seq <= (SELECT max(seq) FROM history) - ?').run(HISTORY_KEPT);
}

/** The workers that the history or the queue knows, also those that were removed. */
export function knownNames(database: Database): readonly string[] {
  return prepared(
    database,
    'SELECT DISTINCT worker AS name FROM history WHERE worker IS NOT NULL UNION SELECT given_to FROM queue WHERE given_to IS NOT NULL',
  )
    .all()
    .map(({ name }) => String(name));
}
