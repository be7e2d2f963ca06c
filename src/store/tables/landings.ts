import { z } from 'zod';
import type { Database } from '../database.ts';
import { workerSchema } from '../state.ts';
import { jsonColumn } from './json-column.ts';

/** What an accept takes from its worker, and an undo gives back. */
const beforeSchema = workerSchema
  .pick({
    agent: true,
    current_prompt: true,
    expects: true,
    conversation_id: true,
    conversation_used: true,
    resolution: true,
    summary: true,
  })
  .strip();
export type BeforeAccept = z.infer<typeof beforeSchema>;

const landingSchema = z.object({
  id: z.string(),
  worker: z.string(),
  /** `intended` → `prepared` (the commit to land exists) → `landed` → `settled`. */
  phase: z.enum(['intended', 'prepared', 'landed', 'settled']),
  message: z.string().nullable(),
  /** The worker's commit when accept began. */
  head: z.string(),
  /** Where it lands; null for main. */
  branch: z.string().nullable(),
  /** What that branch was before; null if the landing makes it. */
  branch_before: z.string().nullable(),
  /** Main below the commit. */
  onto: z.string().nullable(),
  landed: z.string().nullable(),
  /** The worker's commits on `onto`, before they were squashed. */
  work: z.string().nullable(),
  before: jsonColumn(beforeSchema).nullable(),
  created_ms: z.int(),
  settled_ms: z.int().nullable(),
  outcome: z.string().nullable(),
});

/** One accept on its way to main, or to another branch. It is written before each step, so that a crash in the middle is finished, not repeated. */
export type Landing = Readonly<z.infer<typeof landingSchema>>;

export type NewLanding = Pick<Landing, 'id' | 'worker' | 'head' | 'message' | 'branch' | 'created_ms'>;

export function insertLanding(database: Database, row: NewLanding): void {
  database
    .prepare("INSERT INTO landings (id, worker, phase, message, head, branch, created_ms) VALUES (?, ?, 'intended', ?, ?, ?, ?)")
    .run(row.id, row.worker, row.message, row.head, row.branch, row.created_ms);
}

/** Another place for a landing that has not got further than its intent. */
export function redirectLanding(database: Database, id: string, branch: string | null): void {
  database.prepare("UPDATE landings SET branch = ? WHERE id = ? AND phase = 'intended'").run(branch, id);
}

/** The commit for a branch that is not main, which is another one than that for main if the branch has commits of its own. */
export function prepareBranch(database: Database, id: string, landed: string, before: string | null): void {
  database.prepare('UPDATE landings SET landed = ?, branch_before = ? WHERE id = ?').run(landed, before, id);
}

/** An accept that only finishes an earlier one on a branch takes over what an undo needs to know. */
export function continueLanding(database: Database, id: string, worker: string, landed: string): void {
  database
    .prepare(
      `UPDATE landings SET (onto, landed, work, branch_before) =
         (SELECT onto, landed, work, branch_before FROM landings
            WHERE worker = ? AND landed = ? AND branch IS NOT NULL AND id <> ? ORDER BY created_ms DESC LIMIT 1)
         WHERE id = ?`,
    )
    .run(worker, landed, id, id);
}

/** `work` is the worker's commit that was squashed. After a crash it can be the squashed commit itself: then the one from before counts. */
export function prepareLanding(database: Database, id: string, onto: string, landed: string, work: string): void {
  database
    .prepare("UPDATE landings SET phase = 'prepared', onto = ?, work = CASE WHEN landed = ? THEN work ELSE ? END, landed = ? WHERE id = ?")
    .run(onto, work, work, landed, id);
}

/** `landed`: an accept that only finishes an earlier one has no commit of its own. */
export function rememberBefore(database: Database, id: string, before: BeforeAccept, landed: string): void {
  database
    .prepare('UPDATE landings SET before = ?, landed = COALESCE(landed, ?) WHERE id = ?')
    .run(JSON.stringify(beforeSchema.parse(before)), landed, id);
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

export function findLanding(database: Database, id: string): Landing | undefined {
  return parse(database.prepare('SELECT * FROM landings WHERE id = ?').get(id));
}

/** The newest landing since a moment, of all workers or of one. */
export function newestLanding(database: Database, since: number, worker?: string): Landing | undefined {
  const sql = 'SELECT * FROM landings WHERE created_ms >= ? AND worker = COALESCE(?, worker) ORDER BY created_ms DESC, rowid DESC LIMIT 1';
  return parse(database.prepare(sql).get(since, worker ?? null));
}

/** A landing that ended with a commit on main. */
export type LandedLanding = Landing & { readonly landed: string };

/** The newest accept that put a commit on main, of all workers or of one. */
export function lastLanded(database: Database, worker?: string): LandedLanding | undefined {
  return nthLanded(database, 0, worker);
}

/** The branch that the work of a run landed on last; null for main, or if nothing has landed. */
export function branchOfRun(database: Database, run: string): string | null {
  const row = database
    .prepare(
      `SELECT branch FROM landings WHERE outcome = 'landed' AND landed IS NOT NULL AND worker IN (SELECT worker FROM tasks WHERE run = ?)
         ORDER BY settled_ms DESC, created_ms DESC LIMIT 1`,
    )
    .get(run);
  return row === undefined ? null : landingSchema.shape.branch.parse(row.branch);
}

/** What main was before and after each accept. */
export function mainsOfLandings(database: Database): readonly string[] {
  const rows = database.prepare("SELECT onto, landed FROM landings WHERE branch IS NULL AND outcome = 'landed'").all();
  return rows.flatMap(({ onto, landed }) => [onto, landed]).filter((commit) => typeof commit === 'string');
}

/** All commits of a worker that llmc has put on main or on another branch, or was about to. */
export function landedCommits(database: Database, worker: string): readonly string[] {
  const rows = database.prepare('SELECT DISTINCT landed FROM landings WHERE worker = ? AND landed IS NOT NULL').all(worker);
  return rows.map(({ landed }) => String(landed));
}

/** The accept of a worker that put this commit on main. */
export function findLandingId(database: Database, worker: string, commit: string): string | undefined {
  const row = database.prepare("SELECT id FROM landings WHERE outcome = 'landed' AND worker = ? AND landed = ?").get(worker, commit);
  return row === undefined ? undefined : String(row.id);
}

/** The accept that put a commit on main `nth` accepts before the last one. */
export function nthLanded(database: Database, nth: number, worker?: string): LandedLanding | undefined {
  const row = parse(
    database
      .prepare(
        `SELECT * FROM landings WHERE outcome = 'landed' AND landed IS NOT NULL AND worker = COALESCE(?, worker)
           ORDER BY settled_ms DESC, created_ms DESC LIMIT 1 OFFSET ?`,
      )
      .get(worker ?? null, nth),
  );
  return row === undefined || row.landed === null ? undefined : { ...row, landed: row.landed };
}

/** Commits on main for which `[repo] after_accept` has still to run, the oldest first. */
export function landingsBeforeAfterAccept(database: Database): readonly LandedLanding[] {
  return landedWhere(database, 'after_ms');
}

/** Commits on main of which no accept has reported the result, the oldest first. */
export function unreportedLandings(database: Database): readonly LandedLanding[] {
  return landedWhere(database, 'reported_ms');
}

function landedWhere(database: Database, missing: 'after_ms' | 'reported_ms'): readonly LandedLanding[] {
  return database
    .prepare(
      `SELECT * FROM landings WHERE outcome = 'landed' AND landed IS NOT NULL AND ${missing} IS NULL
         AND id NOT IN (SELECT landing FROM undos WHERE kind = 'take_back' AND phase IN ('moved', 'settled') AND outcome IS NOT 'failed')
         ORDER BY settled_ms, created_ms`,
    )
    .all()
    .flatMap((row) => {
      const { landed, ...rest } = landingSchema.parse(row);
      return landed === null ? [] : [{ ...rest, landed }];
    });
}

export function markAfterAccept(database: Database, ids: readonly string[], now: number): void {
  for (const id of ids) database.prepare('UPDATE landings SET after_ms = ? WHERE id = ?').run(now, id);
}

export function markReported(database: Database, ids: readonly string[], now: number): void {
  for (const id of ids) database.prepare('UPDATE landings SET reported_ms = ? WHERE id = ?').run(now, id);
}

function parse(row: unknown): Landing | undefined {
  return row === undefined ? undefined : landingSchema.parse(row);
}
