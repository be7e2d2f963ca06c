import { z } from 'zod';
import { type Database, prepared } from '../database.ts';

const makingSchema = z.object({
  worker: z.string(),
  /** The task that it is made for. Any other may get it. */
  task: z.int(),
  agent: z.string(),
  /** Null: the model of the configuration. */
  model: z.string().nullable(),
});

/** A worker that the pool is making: what is written before its worktree, and deleted with the record of the worker. */
export type Making = Readonly<z.infer<typeof makingSchema>>;

export function insertMaking(database: Database, { worker, task, agent, model }: Making): void {
  prepared(database, 'INSERT INTO pool_making (worker, task, agent, model) VALUES (?, ?, ?, ?)').run(worker, task, agent, model);
}

export function forgetMaking(database: Database, worker: string): void {
  prepared(database, 'DELETE FROM pool_making WHERE worker = ?').run(worker);
}

export function workersInMaking(database: Database): readonly Making[] {
  return prepared(database, 'SELECT * FROM pool_making ORDER BY task')
    .all()
    .map((row) => makingSchema.parse(row));
}
