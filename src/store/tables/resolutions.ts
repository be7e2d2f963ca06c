import { z } from 'zod';
import { type Database, prepared } from '../database.ts';
import { jsonColumn } from './json-column.ts';

const CAUSES = ['rebase', 'accept', 'review', 'patrol'] as const;
export type ResolutionCause = (typeof CAUSES)[number];

/** How a resolution ended. `replaced`: a reset, a nuke or another command made it pointless. */
const OUTCOMES = ['resolved', 'aborted', 'replaced'] as const;
export type ResolutionOutcome = (typeof OUTCOMES)[number];

const resolutionSchema = z.object({
  id: z.string(),
  worker: z.string(),
  cause: z.enum(CAUSES),
  /** `intended` → `asked` (an agent has been asked) → `resolved` (the rebase is over, to be proven) → `settled`. */
  phase: z.enum(['intended', 'asked', 'resolved', 'settled']),
  /** The main branch. */
  branch: z.string(),
  /** The worker's commit before the rebase. */
  head: z.string(),
  /** The commit of main that the work is put on. */
  onto: z.string(),
  /** The merge base of both. */
  base: z.string(),
  /** Every path that conflicted so far. */
  files: jsonColumn(z.array(z.string())),
  /** How often the agent was asked. */
  attempts: z.int(),
  /** How often it was asked about the same stop. */
  loops: z.int(),
  /** Where the rebase stopped when the agent was last asked: the commit and the unmerged paths. */
  stop: z.string().nullable(),
  /** llmc is passing this stopped commit; `from` is HEAD before that. */
  continuing: jsonColumn(z.object({ commit: z.string(), from: z.string() })).nullable(),
  /** Why a person was called; null while the agent goes on. */
  called: z.enum(['loop', 'stuck', 'tampered', 'validation']).nullable(),
  asked_ms: z.int().nullable(),
  /** When the agent got the step-by-step help. */
  help_ms: z.int().nullable(),
  /** How often the list of lost lines went back to the agent. */
  sent_back: z.int(),
  /** How often the validation failed after the rebase. */
  failures: z.int(),
  proven_commit: z.string().nullable(),
  /** The proof of `proven_commit`, as JSON; `src/proof` has its schema. */
  proof: z.string().nullable(),
  /** The rescue of `head`, made when the result lost something of the work. */
  rescue: z.string().nullable(),
  /** The files that a rule of config.toml resolved: their lines are not compared. */
  ruled: jsonColumn(z.array(z.string())),
  /** 1: the worktree was deleted, and llmc made it again without the rebase. */
  worktree_lost: z.int(),
  outcome: z.enum(OUTCOMES).nullable(),
  created_ms: z.int(),
  settled_ms: z.int().nullable(),
});

/** One conflicting rebase that an agent is asked to resolve, from its intent to its outcome. */
export type Resolution = Readonly<z.infer<typeof resolutionSchema>>;
export type NewResolution = Pick<Resolution, 'id' | 'worker' | 'cause' | 'branch' | 'head' | 'onto' | 'base' | 'created_ms'>;

export function insertResolution(database: Database, row: NewResolution): void {
  prepared(
    database,
    `INSERT INTO resolutions (id, worker, cause, phase, branch, head, onto, base, files, attempts, loops, sent_back, failures, created_ms)
       VALUES (?, ?, ?, 'intended', ?, ?, ?, ?, '[]', 0, 0, 0, 0, ?)`,
  ).run(row.id, row.worker, row.cause, row.branch, row.head, row.onto, row.base, row.created_ms);
}

export function updateResolution(database: Database, id: string, fields: Partial<Resolution>): void {
  const entries = Object.entries(z.encode(resolutionSchema.partial(), fields));
  if (entries.length === 0) return;
  const assignments = entries.map(([name]) => `${name} = ?`).join(', ');
  prepared(database, `UPDATE resolutions SET ${assignments} WHERE id = ?`).run(...entries.map(([, value]) => value ?? null), id);
}

export function settleResolution(database: Database, id: string, outcome: ResolutionOutcome, now: number): void {
  updateResolution(database, id, { phase: 'settled', outcome, settled_ms: now });
}

/** Ends the resolution that a reset or a nuke made pointless. */
export function abandonResolutions(database: Database, worker: string, now: number): void {
  const open = openResolution(database, worker);
  if (open !== undefined) settleResolution(database, open.id, 'replaced', now);
}

/** The resolution of a worker that is not settled. */
export function openResolution(database: Database, worker: string): Resolution | undefined {
  return parse(
    prepared(database, "SELECT * FROM resolutions WHERE worker = ? AND phase <> 'settled' ORDER BY created_ms DESC LIMIT 1").get(worker),
  );
}

/** Every worker with a resolution that is not settled. */
export function resolvingWorkers(database: Database): ReadonlySet<string> {
  return new Set(
    prepared(database, "SELECT DISTINCT worker FROM resolutions WHERE phase <> 'settled'")
      .all()
      .map(({ worker }) => String(worker)),
  );
}

export function findResolution(database: Database, id: string): Resolution | undefined {
  return parse(prepared(database, 'SELECT * FROM resolutions WHERE id = ?').get(id));
}

/** The newest resolution of a worker, open or settled. */
export function lastResolution(database: Database, worker: string): Resolution | undefined {
  return parse(prepared(database, 'SELECT * FROM resolutions WHERE worker = ? ORDER BY created_ms DESC LIMIT 1').get(worker));
}

function parse(row: unknown): Resolution | undefined {
  return row === undefined ? undefined : resolutionSchema.parse(row);
}
