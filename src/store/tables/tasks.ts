import { z } from 'zod';
import { AGENT_ERROR_TYPES } from '../../agents/activity.ts';
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.ts';
import type { Instant } from '../../base/ports.ts';
import { type Database, prepared } from '../database.ts';
import { jsonColumn } from './json-column.ts';

/** What a task leaves: a commit, an answer, or files in the worktree's folder for results. */
const expectsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal(['commit', 'answer']) }),
  z.object({ kind: z.literal('files'), files: z.array(z.string()).readonly() }),
]);
export type Expected = Readonly<z.infer<typeof expectsSchema>>;

const taskSchema = z.object({
  id: z.string(),
  run: z.string(),
  worker: z.string(),
  /** `work`: a new task. `follow_up`: more about the last one. `nudge`: a question about it. `review`: its commit, offered to a person. */
  kind: z.enum(['work', 'follow_up', 'nudge', 'review']),
  /** The commit that the work begins at. */
  base: z.string(),
  expects: jsonColumn(expectsSchema),
  created_ms: z.int(),
});

/** What a run gave to one of its workers. */
export type WorkerTask = Readonly<z.infer<typeof taskSchema>>;

export function insertTask(database: Database, task: WorkerTask): void {
  const row = z.encode(taskSchema, task);
  prepared(database, 'INSERT INTO tasks (id, run, worker, kind, base, expects, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?)').run(
    ...[row.id, row.run, row.worker, row.kind, row.base, row.expects, row.created_ms],
  );
}

export function findTask(database: Database, id: string): WorkerTask | undefined {
  const row = prepared(database, 'SELECT * FROM tasks WHERE id = ?').get(id);
  return row === undefined ? undefined : taskSchema.parse(row);
}

const errorCode = z.custom<ErrorCode>((code) => typeof code === 'string' && Object.hasOwn(ERROR_CODES, code), 'expected an error code');

const outcomeSchema = z.discriminatedUnion('kind', [
  /** The agent has taken the prompt. */
  z.object({ kind: z.literal('started') }),
  /** The prompt waits: the agent works on what it was told before. */
  z.object({ kind: z.literal('busy') }),
  /** Its turn is over. `commit`: what its branch has on top of the base; `message`: the last one of its turn. */
  z.object({ kind: z.literal('finished'), commit: z.string().nullable(), message: z.string().nullable() }),
  /** Its turn is over, and what it should leave is not there. */
  z.object({ kind: z.literal('stopped'), why: z.string(), message: z.string().nullable() }),
  /** `terminal`: only the terminal of the agent can end it. */
  z.object({ kind: z.literal('asked'), question: z.string(), choices: z.array(z.string()), terminal: z.literal(true).exactOptional() }),
  /** It continues after a question. */
  z.object({ kind: z.literal('answered') }),
  /**
   * Its process ended. `not_found`: its session was gone without a trace. `status`: its exit status, if it has one. `screen`: the file
   * with its last screen. `said`: the end of that.
   */
  z.object({
    kind: z.literal('crashed'),
    how: z.enum(['crashed', 'not_found', 'cannot_start']),
    why: z.string(),
    screen: z.string().nullable(),
    status: z.int().nullable().optional(),
    said: z.string().optional(),
  }),
  /** The task could not be given or continued. `error`: what the agent reported. */
  z.object({ kind: z.literal('failed'), code: errorCode, error: z.enum(AGENT_ERROR_TYPES).nullable(), message: z.string() }),
  /** It waits for something that its time does not count for: a usage limit, or llmc itself is down. */
  z.object({ kind: z.literal('parked'), until_ms: z.int().nullable(), limit: z.literal(true).optional() }),
  z.object({ kind: z.literal('unparked') }),
  /** Something outside ended it or took it away: the tmux server, a reboot, a person's reset. */
  z.object({ kind: z.literal('lost'), why: z.string() }),
  /** The run stopped it. */
  z.object({ kind: z.literal('halted') }),
  /** Null: main had the change already. */
  z.object({ kind: z.literal('landed'), commit: z.string().nullable() }),
  z.object({ kind: z.literal('rejected'), feedback: z.string() }),
]);
export type Outcome = Readonly<z.infer<typeof outcomeSchema>>;

const reportSchema = z.object({
  seq: z.int(),
  task: z.string(),
  run: z.string(),
  worker: z.string(),
  outcome: jsonColumn(outcomeSchema),
  at_ms: z.int(),
});

/** Something that happened to a task, written in the transaction that moved its worker. */
export type OutcomeReport = Readonly<z.infer<typeof reportSchema>>;

/** Writes nothing for a task that is not in the table. */
export function reportOutcome(database: Database, task: string, outcome: Outcome, now: Instant): void {
  prepared(
    database,
    'INSERT INTO task_reports (task, run, worker, outcome, at_ms) SELECT id, run, worker, ?, ? FROM tasks WHERE id = ?',
  ).run(z.encode(jsonColumn(outcomeSchema), outcome), now, task);
}

/** What the runs have not been told, the oldest first. */
export function untoldReports(database: Database, limit = 500): readonly OutcomeReport[] {
  return prepared(database, 'SELECT * FROM task_reports WHERE told_ms IS NULL ORDER BY seq LIMIT ?')
    .all(limit)
    .map((row) => reportSchema.parse(row));
}

export function markTold(database: Database, reports: readonly Pick<OutcomeReport, 'seq'>[], now: Instant): void {
  for (const { seq } of reports) prepared(database, 'UPDATE task_reports SET told_ms = ? WHERE seq = ?').run(now, seq);
}

/** Everything about one task, the oldest first. */
export function listTaskReports(database: Database, task: string): readonly OutcomeReport[] {
  return prepared(database, 'SELECT * FROM task_reports WHERE task = ? ORDER BY seq')
    .all(task)
    .map((row) => reportSchema.parse(row));
}

/** What an agent said at the end of the turn that left a commit; null if that is not known. */
export function messageWith(database: Database, worker: string, commit: string): string | null {
  const row = prepared(
    database,
    `SELECT json_extract(outcome, '$.message') AS message FROM task_reports
      WHERE worker = ? AND json_extract(outcome, '$.kind') = 'finished' AND json_extract(outcome, '$.commit') = ? ORDER BY seq DESC LIMIT 1`,
  ).get(worker, commit);
  return (
    z
      .object({ message: z.string().nullable() })
      .nullable()
      .parse(row ?? null)?.message ?? null
  );
}
