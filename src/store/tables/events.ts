import type { AgentEvent, SpoolEvent } from '../../agents/events.ts';
import type { Instant } from '../../base/ports.ts';
import { type Database, prepared } from '../database.ts';
import { keepSaid } from './said.ts';

/**
 * `stale`: from an earlier incarnation; recorded, but not acted on.
 * `forged`: without the seal of the incarnation that it names; not acted on, and recorded once per incarnation.
 */
const FATES = ['applied', 'stale', 'garbage', 'forged'] as const;
export type EventFate = (typeof FATES)[number];

export interface RecordedEvent {
  readonly seq: number;
  readonly worker: string;
  readonly incarnation: number;
  readonly name: string;
  readonly at: Instant;
  readonly fate: EventFate;
  readonly event: AgentEvent;
}

/** Returns undefined for an event that was recorded before: a hook may fire twice, and a crash may leave a spool file that was read. */
export function recordEvent(database: Database, spooled: SpoolEvent, event: AgentEvent, fate: EventFate): RecordedEvent | undefined {
  const { changes, lastInsertRowid } = prepared(
    database,
    'INSERT OR IGNORE INTO events (id, worker, incarnation, name, at_ms, fate, event) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ).run(spooled.id, spooled.worker, spooled.incarnation, spooled.name, Math.floor(spooled.at), fate, JSON.stringify(event));
  if (changes === 0) return undefined;
  if (fate === 'applied') keepSaid(database, spooled, event);
  const { worker, incarnation, name, at } = spooled;
  return { seq: Number(lastInsertRowid), worker, incarnation, name, at, fate, event };
}

export function isRecorded(database: Database, id: string): boolean {
  return prepared(database, 'SELECT 1 FROM events WHERE id = ?').get(id) !== undefined;
}

/** One after the other: an agent can have reported more than the memory holds. */
export function readEvents(database: Database, worker: string, incarnation: number): IteratorObject<RecordedEvent> {
  return database
    .prepare("SELECT * FROM events WHERE worker = ? AND incarnation = ? AND fate = 'applied' ORDER BY seq")
    .iterate(worker, incarnation)
    .map(fromRow);
}

export function recentEvents(database: Database, worker: string, limit: number): readonly RecordedEvent[] {
  return prepared(database, 'SELECT * FROM events WHERE worker = ? ORDER BY seq DESC LIMIT ?').all(worker, limit).map(fromRow);
}

/** How many of the last events are searched for what was said: an agent reports each of its tools. */
const SEARCHED = 20_000;

/** The last prompts and messages of a worker that its agent reported, the oldest first. */
export function spokenEvents(database: Database, worker: string, limit: number): readonly RecordedEvent[] {
  return prepared(
    database,
    `SELECT * FROM (SELECT * FROM events WHERE worker = ? ORDER BY incarnation DESC, seq DESC LIMIT ${SEARCHED})
      WHERE fate = 'applied' AND event ->> 'kind' IN ('prompt_accepted', 'turn_ended', 'turn_failed') ORDER BY seq DESC LIMIT ?`,
  )
    .all(worker, limit)
    .map(fromRow)
    .reverse();
}

export function lastEventSeq(database: Database): number {
  return Number(prepared(database, 'SELECT coalesce(max(seq), 0) AS seq FROM events').get()?.seq ?? 0);
}

export function forgetEvents(database: Database, worker: string): void {
  for (const table of ['events', 'seals']) prepared(database, `DELETE FROM ${table} WHERE worker = ?`).run(worker);
}

/** Deletes events of earlier incarnations, which no decision reads. */
export function pruneEvents(database: Database, worker: string, currentIncarnation: number): void {
  prepared(database, 'DELETE FROM events WHERE worker = ? AND incarnation < ?').run(worker, currentIncarnation - 3);
}

/** What `why` shows is far less. */
export const MOST_STALE = 1_000;

/** Keeps the last stale events of a worker. Anyone who can write to the spool can name any incarnation, also a later one. */
export function pruneStale(database: Database, worker: string): void {
  prepared(
    database,
    `DELETE FROM events WHERE worker = ?1 AND fate = 'stale' AND seq <=
      (SELECT seq FROM events WHERE worker = ?1 AND fate = 'stale' ORDER BY seq DESC LIMIT 1 OFFSET ?2)`,
  ).run(worker, MOST_STALE);
}

// The column holds what recordEvent wrote, in a database only llmc writes: JSON of an AgentEvent.
function fromRow(row: Record<string, unknown>): RecordedEvent {
  const event: AgentEvent = JSON.parse(String(row.event));
  const fate = FATES.find((known) => known === row.fate) ?? 'applied';
  return {
    seq: Number(row.seq),
    worker: String(row.worker),
    incarnation: Number(row.incarnation),
    name: String(row.name),
    at: Number(row.at_ms),
    fate,
    event,
  };
}

/** Keeps the hash of the seal that only the environment of this incarnation has. */
export function keepSeal(database: Database, worker: string, incarnation: number, seal: string): void {
  prepared(database, 'INSERT OR REPLACE INTO seals (worker, incarnation, hash) VALUES (?, ?, ?)').run(worker, incarnation, hashSeal(seal));
}

/**
 * Returns the check for the reports of one incarnation. Without a row every report passes: llmc.db was lost
 * after the agent had started. Such an agent gets a seal with its next start.
 */
export function sealCheck(database: Database, worker: string, incarnation: number): (seal: string | undefined) => boolean {
  const row = prepared(database, 'SELECT hash FROM seals WHERE worker = ? AND incarnation = ?').get(worker, incarnation);
  if (row === undefined) return () => true;
  return (seal) => seal !== undefined && hashSeal(seal) === row.hash;
}

function hashSeal(seal: string): string {
  // Loading node:crypto would cost every command several milliseconds, and only the supervisor checks seals.
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(seal).digest('hex');
}
