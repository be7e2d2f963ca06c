import type { AgentEvent, SpoolEvent } from '../agents/events.ts';
import type { Instant } from '../base/ports.ts';
import { type Database, prepared } from './database.ts';

/** `stale`: from an earlier incarnation; recorded, but not acted on. */
export type EventFate = 'applied' | 'stale' | 'garbage';

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
  const { worker, incarnation, name, at } = spooled;
  return { seq: Number(lastInsertRowid), worker, incarnation, name, at, fate, event };
}

export function isRecorded(database: Database, id: string): boolean {
  return prepared(database, 'SELECT 1 FROM events WHERE id = ?').get(id) !== undefined;
}

export function eventsOf(database: Database, worker: string, incarnation: number): readonly RecordedEvent[] {
  return prepared(database, "SELECT * FROM events WHERE worker = ? AND incarnation = ? AND fate = 'applied' ORDER BY seq")
    .all(worker, incarnation)
    .map(fromRow);
}

export function recentEvents(database: Database, worker: string, limit: number): readonly RecordedEvent[] {
  return prepared(database, 'SELECT * FROM events WHERE worker = ? ORDER BY seq DESC LIMIT ?').all(worker, limit).map(fromRow);
}

export function lastEventSeq(database: Database): number {
  return Number(prepared(database, 'SELECT coalesce(max(seq), 0) AS seq FROM events').get()?.seq ?? 0);
}

export function forgetEvents(database: Database, worker: string): void {
  prepared(database, 'DELETE FROM events WHERE worker = ?').run(worker);
}

/** Deletes events of earlier incarnations, which no decision reads. */
export function pruneEvents(database: Database, worker: string, currentIncarnation: number): void {
  prepared(database, 'DELETE FROM events WHERE worker = ? AND incarnation < ?').run(worker, currentIncarnation - 3);
}

// The column holds what recordEvent wrote, in a database only llmc writes: JSON of an AgentEvent.
function fromRow(row: Record<string, unknown>): RecordedEvent {
  const event: AgentEvent = JSON.parse(String(row.event));
  const fate = row.fate === 'stale' || row.fate === 'garbage' ? row.fate : 'applied';
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
