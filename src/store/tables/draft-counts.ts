import { type Database, prepared } from '../database.ts';

/** How many draft comments each worker has. A database of an older llmc has none. Without a schema: `llmc status` starts without loading one. */
export function draftCounts(database: Database): ReadonlyMap<string, number> {
  if (prepared(database, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'drafts'").get() === undefined) return new Map();
  const rows = prepared(database, "SELECT worker, COUNT(*) AS drafts FROM drafts WHERE kind = 'comment' GROUP BY worker").all();
  return new Map(rows.map((row) => [String(row['worker']), Number(row['drafts'])]));
}
