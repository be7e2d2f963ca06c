import { LlmcError } from '../../base/error.ts';
import { type Database, inTransaction, prepared } from '../../store/database.ts';

/** Everything that the database has of one run, in the order in which it can be deleted. */
export const RUN_TABLES = [
  ...(['task_reports', 'tasks', 'error_log', 'checkpoints', 'run_history', 'run_checks', 'run_tasks', 'run_events'] as const),
  ...(['run_items', 'run_plans', 'run_questions', 'run_retries'] as const),
  'runs',
] as const;
type Table = (typeof RUN_TABLES)[number];

export type RunRows = Readonly<Record<Table, readonly Readonly<Record<string, unknown>>[]>>;

const nameKeyColumn = (table: Table): string => (table === 'runs' ? 'id' : 'run');

export function rowsOfRun(database: Database, run: string): RunRows {
  const rows = (table: Table) => prepared(database, `SELECT * FROM ${table} WHERE ${nameKeyColumn(table)} = ? ORDER BY rowid`).all(run);
  return {
    task_reports: rows('task_reports'),
    tasks: rows('tasks'),
    error_log: rows('error_log'),
    checkpoints: rows('checkpoints'),
    run_history: rows('run_history'),
    run_tasks: rows('run_tasks'),
    run_events: rows('run_events'),
    run_items: rows('run_items'),
    run_checks: rows('run_checks'),
    run_plans: rows('run_plans'),
    runs: rows('runs'),
    run_questions: rows('run_questions'),
    run_retries: rows('run_retries'),
  };
}

/** Whether an event of the run waits for a decision, or a task for its performance. */
export function hasOpenWork(database: Database, run: string): boolean {
  return (
    prepared(
      database,
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM run_events WHERE run = :run AND consumed = 0)
                   OR EXISTS (SELECT 1 FROM run_tasks WHERE run = :run AND state <> 'done')
                   OR EXISTS (SELECT 1 FROM task_reports WHERE run = :run AND told_ms IS NULL)`,
    ).get({ run }) !== undefined
  );
}

/** Throws if the run has changed since this version, or has something to do. */
export function requireUnchanged(database: Database, run: string, version: number): void {
  const found = prepared(database, 'SELECT version FROM runs WHERE id = ? AND ended_ms IS NOT NULL').get(run);
  if (found?.version === version && !hasOpenWork(database, run)) return;
  throw new LlmcError('ILLEGAL_TRANSITION', `${run} goes on`, { hint: `llmc show ${run}` });
}

export function deleteRun(database: Database, run: string): void {
  inTransaction(database, () => {
    for (const table of RUN_TABLES) prepared(database, `DELETE FROM ${table} WHERE ${nameKeyColumn(table)} = ?`).run(run);
  });
}
