import { type Database, prepared } from '../database.ts';

// What `llmc status` says about the queue. Without a schema: it starts without loading one.

/** How many tasks wait for a worker. */
export function queueLength(database: Database): number {
  return Number(prepared(database, "SELECT COUNT(*) AS waiting FROM queue WHERE state = 'waiting'").get()?.['waiting'] ?? 0);
}

/** The number of the task that a person gave a worker; null without one. */
export function givenNumber(database: Database, worker: string): number | null {
  const row = prepared(database, "SELECT number FROM queue WHERE given_to = ? AND state = 'given'").get(worker);
  return row === undefined ? null : Number(row['number']);
}
