import { z } from 'zod';
import { type Database, prepared } from '../database.ts';

/** How far a worker without progress had climbed: the next supervisor goes on from there. */
const ladderRow = z.object({
  incarnation: z.int(),
  since_ms: z.int(),
  rungs: z.literal([1, 2, 3]),
  asked_ms: z.int(),
});
export type LadderRow = Readonly<z.infer<typeof ladderRow>>;

export function keepLadder(database: Database, worker: string, { incarnation, since_ms, rungs, asked_ms }: LadderRow): void {
  prepared(database, 'INSERT OR REPLACE INTO ladders (worker, incarnation, since_ms, rungs, asked_ms) VALUES (?, ?, ?, ?, ?)').run(
    ...[worker, incarnation, Math.floor(since_ms), rungs, Math.floor(asked_ms)],
  );
}

export function forgetLadder(database: Database, worker: string): void {
  prepared(database, 'DELETE FROM ladders WHERE worker = ?').run(worker);
}

/** Undefined also for a row that makes no sense. */
export function keptLadder(database: Database, worker: string): LadderRow | undefined {
  return ladderRow.safeParse(prepared(database, 'SELECT * FROM ladders WHERE worker = ?').get(worker)).data;
}
