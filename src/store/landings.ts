import { z } from 'zod';
import type { Database } from './database.ts';

const landingSchema = z.object({
  id: z.string(),
  worker: z.string(),
  /** `intended` → `prepared` (the commit to land exists) → `landed` → `settled`. */
  phase: z.enum(['intended', 'prepared', 'landed', 'settled']),
  message: z.string().nullable(),
  /** The worker's commit when accept began. */
  head: z.string(),
  onto: z.string().nullable(),
  landed: z.string().nullable(),
  created_ms: z.int(),
  settled_ms: z.int().nullable(),
  outcome: z.string().nullable(),
});

/** One accept on its way to main. It is written before each step, so that a crash in the middle is finished, not repeated. */
export type Landing = Readonly<z.infer<typeof landingSchema>>;

export function insertLanding(database: Database, row: Pick<Landing, 'id' | 'worker' | 'head' | 'message' | 'created_ms'>): void {
  database
    .prepare("INSERT INTO landings (id, worker, phase, message, head, created_ms) VALUES (?, ?, 'intended', ?, ?, ?)")
    .run(row.id, row.worker, row.message, row.head, row.created_ms);
}

export function prepareLanding(database: Database, id: string, onto: string, landed: string): void {
  database.prepare("UPDATE landings SET phase = 'prepared', onto = ?, landed = ? WHERE id = ?").run(onto, landed, id);
}

export function markLanded(database: Database, id: string): void {
  database.prepare("UPDATE landings SET phase = 'landed' WHERE id = ?").run(id);
}

export function settleLanding(database: Database, id: string, outcome: string, now: number): void {
  database.prepare("UPDATE landings SET phase = 'settled', outcome = ?, settled_ms = ? WHERE id = ?").run(outcome, now, id);
}

/** Ends the landings that a reset or a nuke made pointless. */
export function abandonLandings(database: Database, worker: string, outcome: string, now: number): void {
  database
    .prepare("UPDATE landings SET phase = 'settled', outcome = ?, settled_ms = ? WHERE worker = ? AND phase <> 'settled'")
    .run(outcome, now, worker);
}

export function openLandings(database: Database): readonly Landing[] {
  return database
    .prepare("SELECT * FROM landings WHERE phase <> 'settled' ORDER BY created_ms")
    .all()
    .map((row) => landingSchema.parse(row));
}
