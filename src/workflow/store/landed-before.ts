import { z } from 'zod';
import { type Database, prepared } from '../../store/database.ts';

const row = z.object({ landed: z.string().nullable() });

/**
 * What main got when a person accepted this commit of the run after the run had ended, before it was recovered; null if main had it
 * already, undefined if it never landed or was taken back.
 */
export function landedBefore(database: Database, run: string, commit: string): string | null | undefined {
  const found = prepared(
    database,
    `SELECT report.outcome ->> 'commit' AS landed FROM run_tasks AS task JOIN task_reports AS report ON report.task = task.id
      WHERE task.run = ? AND task.kind = 'land' AND task.data_json ->> 'commit' = ? AND report.outcome ->> 'kind' = 'landed'
        AND NOT EXISTS (SELECT 1 FROM undos WHERE landed = report.outcome ->> 'commit' AND outcome IS NOT 'failed')
      ORDER BY report.seq DESC LIMIT 1`,
  ).get(run, commit);
  return found === undefined ? undefined : row.parse(found).landed;
}
