import { z } from 'zod';
import type { Instant } from '../../base/ports.ts';
import { type Database, prepared } from '../database.ts';
import { jsonColumn } from './json-column.ts';

const resultSchema = z.object({
  passed: z.boolean(),
  /** A line took longer than it may. */
  late: z.boolean(),
  /** What failed, with the end of its output; empty if all passed. */
  output: z.string(),
});

/** What the shell lines of a run came to. */
export type RunCheckResult = Readonly<z.infer<typeof resultSchema>>;

const runningSchema = z.object({
  action: z.string(),
  /** In the environment of everything that the lines start. */
  mark: z.string(),
  pid: z.int().nullable(),
  /** When the process began, as the system says it; null until that is known. */
  started: z.string().nullable(),
});

/** Shell lines without a result: they run, or the process that ran them was killed. */
export type RunningCheck = Readonly<z.infer<typeof runningSchema>>;

/** Records that the shell lines of an action are about to run. Results of actions that are over go. */
export function beginCheck(
  database: Database,
  check: { readonly action: string; readonly run: string; readonly mark: string; readonly at: Instant },
): void {
  const { action, run, mark, at } = check;
  prepared(
    database,
    "DELETE FROM run_checks WHERE run = ? AND result_json IS NOT NULL AND action IN (SELECT id FROM run_tasks WHERE state = 'done')",
  ).run(run);
  prepared(database, 'INSERT OR REPLACE INTO run_checks (action, run, mark, at_ms) VALUES (?, ?, ?, ?)').run(action, run, mark, at);
}

export function noteProcess(database: Database, mark: string, pid: number, started: string): void {
  prepared(database, 'UPDATE run_checks SET pid = ?, started = ? WHERE mark = ?').run(pid, started, mark);
}

export function endCheck(database: Database, action: string, result: RunCheckResult): void {
  prepared(database, 'UPDATE run_checks SET result_json = ? WHERE action = ?').run(JSON.stringify(result), action);
}

export function forgetCheck(database: Database, action: string): void {
  prepared(database, 'DELETE FROM run_checks WHERE action = ?').run(action);
}

export function checkResult(database: Database, action: string): RunCheckResult | undefined {
  const row = prepared(database, 'SELECT result_json FROM run_checks WHERE action = ? AND result_json IS NOT NULL').get(action);
  return row === undefined ? undefined : z.object({ result_json: jsonColumn(resultSchema) }).parse(row).result_json;
}

export function runningChecks(database: Database): readonly RunningCheck[] {
  return prepared(database, 'SELECT action, mark, pid, started FROM run_checks WHERE result_json IS NULL')
    .all()
    .map((row) => runningSchema.parse(row));
}
