import { z } from 'zod';
import type { Instant } from '../../base/ports.ts';
import { type Database, prepared } from '../database.ts';
import { workerSchema } from '../state.ts';
import { jsonColumn } from './json-column.ts';

/** `waiting` for a worker → `given` to one → `done` (landed, or answered) or `dropped` (its worker was reset or removed); or `canceled`. */
const QUEUE_STATES = ['waiting', 'given', 'done', 'dropped', 'canceled'] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

const queuedSchema = z.object({
  number: z.int(),
  /** Tasks of the same priority go in the order of their places. */
  place: z.int(),
  priority: z.int(),
  prompt: z.string(),
  expects: workerSchema.shape.expects,
  /** The worker that must do it; null: any of the pool. */
  worker: z.string().nullable(),
  /** The agent that must do it; null: any. */
  agent: z.string().nullable(),
  /** The model that must do it; null: any. */
  model: z.string().nullable(),
  /** The tasks that must be done before it. Its own number among them: a person must decide whether it is still to be done. */
  after: jsonColumn(z.array(z.int()).readonly()),
  state: z.enum(QUEUE_STATES),
  given_to: z.string().nullable(),
  delivery: z.string().nullable(),
  /** Why it could not be given the last time. */
  problem: z.string().nullable(),
  created_ms: z.int(),
  given_ms: z.int().nullable(),
  ended_ms: z.int().nullable(),
});

/** A task that a person gave. One that waits for a worker stays here until one takes it, whatever ends meanwhile. */
export type QueuedTask = Readonly<z.infer<typeof queuedSchema>>;
export type NewTask = Pick<QueuedTask, 'priority' | 'prompt' | 'expects' | 'worker' | 'agent' | 'after' | 'created_ms'> &
  Partial<Pick<QueuedTask, 'model'>>;

const ORDER = 'ORDER BY priority DESC, place, number';

/** Puts a task behind all others of its priority; returns its number. */
export function insertQueued(database: Database, task: NewTask): number {
  const { priority, prompt, expects, worker, agent, model = null, after, created_ms } = task;
  const row = prepared(
    database,
    `INSERT INTO queue (place, priority, prompt, expects, worker, agent, model, after, state, created_ms)
     VALUES ((SELECT COALESCE(MAX(place), 0) + 1 FROM queue WHERE state = 'waiting'), ?, ?, ?, ?, ?, ?, ?, 'waiting', ?) RETURNING number`,
  ).get(priority, prompt, expects, worker, agent, model, JSON.stringify(after), created_ms);
  return z.object({ number: z.int() }).parse(row).number;
}

/** The numbers of these tasks, if one request has put them into the queue since then. */
export function queuedSince(database: Database, prompts: readonly string[], since: Instant): readonly number[] | undefined {
  const rows = prepared(database, 'SELECT number, prompt FROM queue WHERE created_ms >= ? ORDER BY number').all(since);
  const at = rows.findIndex((_, first) => prompts.every((prompt, index) => rows[first + index]?.prompt === prompt));
  return at === -1 ? undefined : rows.slice(at, at + prompts.length).map(({ number }) => Number(number));
}

export function findQueued(database: Database, number: number): QueuedTask | undefined {
  const row = prepared(database, 'SELECT * FROM queue WHERE number = ?').get(number);
  return row === undefined ? undefined : queuedSchema.parse(row);
}

/** Those that wait for a worker, the next one first. */
export function waitingTasks(database: Database): readonly QueuedTask[] {
  return prepared(database, `SELECT * FROM queue WHERE state = 'waiting' ${ORDER}`)
    .all()
    .map((row) => queuedSchema.parse(row));
}

export function hasWaiting(database: Database): boolean {
  return prepared(database, "SELECT 1 FROM queue WHERE state = 'waiting' LIMIT 1").get() !== undefined;
}

/** The newest ones, whatever became of them. */
export function latestTasks(database: Database, limit: number): readonly QueuedTask[] {
  return prepared(database, 'SELECT * FROM queue ORDER BY number DESC LIMIT ?')
    .all(limit)
    .map((row) => queuedSchema.parse(row));
}

/** How each of these tasks stands; one that never was is not in the map. */
export function readQueueStates(database: Database, numbers: Iterable<number>): ReadonlyMap<number, QueueState> {
  const states = new Map<number, QueueState>();
  for (const number of new Set(numbers)) {
    const task = findQueued(database, number);
    if (task !== undefined) states.set(number, task.state);
  }
  return states;
}

/** Returns whether the task still waited: one that was canceled or given meanwhile stays as it is. */
export function markGiven(database: Database, number: number, to: string, delivery: string, now: Instant): boolean {
  const { changes } = prepared(
    database,
    "UPDATE queue SET state = 'given', given_to = ?, delivery = ?, given_ms = ?, problem = NULL WHERE number = ? AND state = 'waiting'",
  ).run(to, delivery, now, number);
  return changes === 1;
}

/**
 * Holds the tasks that wait until a person has decided on each: a copy of the database does not know which of them were given since.
 * Returns how many there are.
 */
export function holdWaiting(database: Database): number {
  const { changes } = prepared(database, "UPDATE queue SET after = json_insert(after, '$[#]', number) WHERE state = 'waiting'").run();
  return Number(changes);
}

/** The tasks that workers have. */
export function givenTasks(database: Database): readonly QueuedTask[] {
  return prepared(database, "SELECT * FROM queue WHERE state = 'given' ORDER BY number")
    .all()
    .map((row) => queuedSchema.parse(row));
}

/** Whether a worker has a task that a person gave. */
export function hasTask(database: Database, worker: string): boolean {
  return prepared(database, "SELECT 1 FROM queue WHERE given_to = ? AND state = 'given'").get(worker) !== undefined;
}

/** Ends the task that a worker has. A worker has at most one. */
export function endGiven(database: Database, worker: string, state: 'done' | 'dropped', now: Instant): void {
  prepared(database, "UPDATE queue SET state = ?, ended_ms = ? WHERE given_to = ? AND state = 'given'").run(state, now, worker);
}

/** The accepted work of a worker was taken back from main: its last task is not done any more. */
export function reopenGiven(database: Database, worker: string): void {
  prepared(
    database,
    `UPDATE queue SET state = 'given', ended_ms = NULL
     WHERE number = (SELECT number FROM queue WHERE given_to = ? AND state = 'done' ORDER BY given_ms DESC, number DESC LIMIT 1)`,
  ).run(worker);
}

export function noteProblem(database: Database, number: number, problem: string | null): void {
  prepared(database, "UPDATE queue SET problem = ? WHERE number = ? AND state = 'waiting'").run(problem, number);
}

export function cancelQueued(database: Database, number: number, now: Instant): boolean {
  const { changes } = prepared(database, "UPDATE queue SET state = 'canceled', ended_ms = ? WHERE number = ? AND state = 'waiting'").run(
    now,
    number,
  );
  return changes === 1;
}

type Editable = 'prompt' | 'priority' | 'worker' | 'agent' | 'model' | 'after';
export type QueueEdit = { readonly [Key in Editable]?: QueuedTask[Key] | undefined };

/** Returns whether the task still waited. */
export function editQueued(database: Database, number: number, edit: QueueEdit): boolean {
  const task = findQueued(database, number);
  if (task?.state !== 'waiting') return false;
  const { prompt = task.prompt, priority = task.priority, after = task.after } = edit;
  const { worker = task.worker, agent = task.agent, model = task.model } = edit;
  prepared(
    database,
    'UPDATE queue SET prompt = ?, priority = ?, worker = ?, agent = ?, model = ?, after = ?, problem = NULL WHERE number = ?',
  ).run(...[prompt, priority, worker, agent, model, JSON.stringify(after), number]);
  return true;
}

/** Writes the places of the waiting tasks, in this order. */
export function arrange(database: Database, numbers: readonly number[]): void {
  for (const [index, number] of numbers.entries())
    prepared(database, "UPDATE queue SET place = ? WHERE number = ? AND state = 'waiting'").run(index + 1, number);
}

/** As many as finished prompts: each may hold 256 KB. */
export const TASKS_KEPT = 2_000;

/** Deletes the oldest tasks that ended. Keeps what others wait for, and the last task of each worker: an undo of its work reopens it. */
export function pruneQueue(database: Database): void {
  prepared(
    database,
    `DELETE FROM queue WHERE state IN ('done', 'dropped', 'canceled') AND number <= (SELECT max(number) FROM queue) - ?
       AND number NOT IN (SELECT value FROM queue AS waiting, json_each(waiting.after) WHERE waiting.state = 'waiting')
       AND number NOT IN (SELECT number FROM (SELECT number, max(given_ms) FROM queue WHERE given_to IS NOT NULL GROUP BY given_to))`,
  ).run(TASKS_KEPT);
}

/** Whether a task of this number was there once. The newest task is never deleted, so no number is given twice. */
export function wasPruned(database: Database, number: number): boolean {
  const sql = 'SELECT 1 FROM queue WHERE number > ? AND NOT EXISTS (SELECT 1 FROM queue WHERE number = ?) LIMIT 1';
  return number > 0 && prepared(database, sql).get(number, number) !== undefined;
}
