import { z } from 'zod';
import { type Database, prepared } from '../database.ts';

const KINDS = ['take_back', 'revert'] as const;
/** `take_back`: main goes back to the commit before. `revert`: main gets a commit that does the opposite. */
export type UndoKind = (typeof KINDS)[number];

const undoSchema = z.object({
  id: z.string(),
  /** The accept that is undone. */
  landing: z.string(),
  worker: z.string(),
  kind: z.enum(KINDS),
  /** `intended` → `prepared` (only a revert: the commit to land exists) → `moved` (main is where it should be) → `settled`. */
  phase: z.enum(['intended', 'prepared', 'moved', 'settled']),
  /** The main branch. */
  branch: z.string(),
  /** The commit that the accept put on main. */
  landed: z.string(),
  /** The commit that main goes back to, or the one that the revert builds on. */
  onto: z.string().nullable(),
  /** The commit that reverts. */
  made: z.string().nullable(),
  outcome: z.enum(['done', 'failed']).nullable(),
  problem: z.string().nullable(),
  created_ms: z.int(),
  settled_ms: z.int().nullable(),
});

/** One undo of an accept, written before each step, so that a crash in the middle is finished, not repeated. */
export type Undo = Readonly<z.infer<typeof undoSchema>>;
export type NewUndo = Pick<Undo, 'id' | 'landing' | 'worker' | 'kind' | 'branch' | 'landed' | 'onto' | 'created_ms'>;

export function insertUndo(database: Database, row: NewUndo): void {
  prepared(
    database,
    "INSERT INTO undos (id, landing, worker, kind, phase, branch, landed, onto, created_ms) VALUES (?, ?, ?, ?, 'intended', ?, ?, ?, ?)",
  ).run(row.id, row.landing, row.worker, row.kind, row.branch, row.landed, row.onto, row.created_ms);
}

export function prepareUndo(database: Database, id: string, onto: string, made: string): void {
  prepared(database, "UPDATE undos SET phase = 'prepared', onto = ?, made = ? WHERE id = ?").run(onto, made, id);
}

export function markMoved(database: Database, id: string): void {
  prepared(database, "UPDATE undos SET phase = 'moved' WHERE id = ?").run(id);
}

export function settleUndo(database: Database, id: string, outcome: 'done' | 'failed', now: number, problem?: string): void {
  prepared(database, "UPDATE undos SET phase = 'settled', outcome = ?, problem = ?, settled_ms = ? WHERE id = ?").run(
    outcome,
    problem ?? null,
    now,
    id,
  );
}

export function openUndos(database: Database): readonly Undo[] {
  return prepared(database, "SELECT * FROM undos WHERE phase <> 'settled' ORDER BY created_ms")
    .all()
    .map((row) => undoSchema.parse(row));
}

/** The undo of an accept that is done, or still open. */
export function findUndo(database: Database, landing: string): Undo | undefined {
  const row = prepared(
    database,
    "SELECT * FROM undos WHERE landing = ? AND (phase <> 'settled' OR outcome = 'done') ORDER BY created_ms DESC LIMIT 1",
  ).get(landing);
  return row === undefined ? undefined : undoSchema.parse(row);
}

/** Whether this commit was on main once and an undo took it away, so that work on top of it must leave it out. */
export function isTakenBack(database: Database, commit: string): boolean {
  return (
    prepared(
      database,
      "SELECT 1 FROM undos WHERE landed = ? AND kind = 'take_back' AND phase IN ('moved', 'settled') AND outcome IS NOT 'failed'",
    ).get(commit) !== undefined
  );
}
