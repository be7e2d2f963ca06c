import { type Database, prepared } from '../database.ts';

/** The unsent comments on the work of a worker, and the commit message that a person wrote for it. */
export interface DraftCount {
  readonly comments: number;
  readonly message: string | null;
}

/** What each worker has of drafts. Without a schema: `llmc status` starts without loading one. */
export function draftCounts(database: Database): ReadonlyMap<string, DraftCount> {
  const rows = prepared(
    database,
    `SELECT worker, SUM(kind = 'comment') AS comments,
       MAX(CASE WHEN kind = 'message' AND json_valid(content) THEN json_extract(content, '$.text') END) AS message
     FROM drafts GROUP BY worker`,
  ).all();
  return new Map(
    rows.map(({ worker, comments, message }) => [
      String(worker),
      { comments: Number(comments), message: typeof message === 'string' ? message : null },
    ]),
  );
}
