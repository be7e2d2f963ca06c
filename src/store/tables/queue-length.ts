import { type Database, prepared } from '../database.ts';

/** How many tasks wait for a worker. A database of an older llmc has no queue. Without a schema: `llmc status` starts without loading one. */
export function queueLength(database: Database): number {
  if (prepared(database, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'queue'").get() === undefined) return 0;
  return Number(prepared(database, "SELECT COUNT(*) AS waiting FROM queue WHERE state = 'waiting'").get()?.['waiting'] ?? 0);
}
