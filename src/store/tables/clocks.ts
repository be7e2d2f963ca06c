import { z } from 'zod';
import { type Database, inTransaction, prepared } from '../database.ts';
import { jsonColumn } from './json-column.ts';

const span = z.number().min(0);

/** How long a supervisor had watched a worker wait: the next one goes on counting from there. Times without a supervisor do not count. */
const clocksSchema = z.object({
  incarnation: z.int(),
  /** How long the agent had shown no progress, and a hash of what its screen showed; null without a screen. */
  quiet_ms: span,
  screen: z.string().nullable(),
  /** How long the oldest prompt had waited for its agent, by reason. */
  waiting: z.object({ delivery: z.string(), spent_ms: z.record(z.string(), span) }).nullable(),
  /** How long git's files had not changed in a rebase that the agent resolves. */
  resolution: z.object({ stamp: z.string(), quiet_ms: span }).nullable(),
});
export type Clocks = Readonly<z.infer<typeof clocksSchema>>;

const clocksRow = z.object({ clocks_json: jsonColumn(clocksSchema) });

export function keepClocks(database: Database, clocks: ReadonlyMap<string, Clocks>): void {
  inTransaction(database, () => {
    for (const [worker, each] of clocks)
      prepared(database, 'INSERT OR REPLACE INTO clocks (worker, clocks_json) VALUES (?, ?)').run(worker, JSON.stringify(each));
  });
}

export function forgetClocks(database: Database, worker: string): void {
  prepared(database, 'DELETE FROM clocks WHERE worker = ?').run(worker);
}

/** Undefined also for a row that makes no sense. */
export function keptClocks(database: Database, worker: string): Clocks | undefined {
  try {
    return clocksRow.safeParse(prepared(database, 'SELECT clocks_json FROM clocks WHERE worker = ?').get(worker)).data?.clocks_json;
  } catch {
    return undefined;
  }
}
