import { z } from 'zod';
import { type Database, prepared } from '../../store/database.ts';

const row = z.object({ step: z.string() });

/** The step of a run that a task was given for; null for a task that no run knows any more. */
export function stepOfTask(database: Database, task: string): string | null {
  const found = prepared(database, 'SELECT step FROM run_tasks WHERE id = ?').get(task);
  return found === undefined ? null : row.parse(found).step;
}
