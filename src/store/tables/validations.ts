import { z } from 'zod';
import { type Database, prepared } from '../database.ts';

const validationSchema = z.object({
  /** The files that were validated, as git names them. */
  tree: z.string(),
  /** The command lines as a JSON list. */
  lines: z.string(),
  worker: z.string(),
  /** The line that failed; null if all passed. */
  failed_line: z.string().nullable(),
  reason: z.string().nullable(),
  /** The file with the whole output. */
  log: z.string(),
  took_ms: z.int(),
  at_ms: z.int(),
});

/** What the validation commands said about these very files. */
export type Validation = Readonly<z.infer<typeof validationSchema>>;

/** Results of trees that no worker has any more are useless. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

export function keepValidation(database: Database, row: Validation): void {
  prepared(database, 'DELETE FROM validations WHERE at_ms < ?').run(row.at_ms - KEPT_MS);
  prepared(
    database,
    'INSERT OR REPLACE INTO validations (tree, lines, worker, failed_line, reason, log, took_ms, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(row.tree, row.lines, row.worker, row.failed_line, row.reason, row.log, row.took_ms, row.at_ms);
}

/** The last result of these command lines for these files. */
export function findValidation(database: Database, tree: string, lines: readonly string[]): Validation | undefined {
  const row = prepared(database, 'SELECT * FROM validations WHERE tree = ? AND lines = ?').get(tree, JSON.stringify(lines));
  return row === undefined ? undefined : validationSchema.parse(row);
}
