import type { Config } from '../../config/schema.ts';
import { type Answer, answerTo } from '../../store/tables/answers.ts';
import { latestTasks, type QueuedTask, waitingTasks } from '../../store/tables/queue.ts';
import type { WorkContext } from '../context.ts';
import { decidePool, forPool } from '../pool/decide-pool.ts';
import { readPool } from '../pool/read-pool.ts';
import { decideQueue, type QueueWait } from './decide-queue.ts';
import { requireTask } from './queue-tasks.ts';
import { readQueue } from './takers.ts';
import { queueWaitText } from './wait-text.ts';

/** A task, as people see it. */
export interface TaskReport extends Omit<QueuedTask, 'place'> {
  /** Its place among those that wait, from 1 on. */
  readonly position: number | null;
  /** What it waits for, in words. */
  readonly waits: string | null;
  /** What it ended in, if it asked for an answer; null in a list. */
  readonly answer: string | null;
  /** Where llmc has the answer from; null without one. */
  readonly answer_source: Answer['source'] | null;
}

/** The tasks that wait, the next one first; `all`: also those that a worker has or had, the newest last. */
export async function listTasks(
  context: WorkContext,
  { all, limit }: { readonly all: boolean; readonly limit: number },
): Promise<readonly TaskReport[]> {
  const { database } = context.store;
  const waiting = waitingTasks(database);
  const others = all ? latestTasks(database, limit).filter(({ state }) => state !== 'waiting') : [];
  return await reports(context, [...others.toReversed(), ...waiting]);
}

/** What each waiting task waits for. */
export function waitsNow(context: Pick<WorkContext, 'store' | 'clock'>, config: Config): ReadonlyMap<number, QueueWait> {
  const queue = readQueue(context, config);
  const { waits } = decideQueue({ ...queue, mayTry: () => true });
  const pool = decidePool(readPool(context, config), forPool(queue.tasks, waits));
  const all = new Map([...waits, ...pool.waits]);
  // The supervisor makes their workers when it decides about the queue the next time.
  for (const { task } of pool.makes) all.delete(task.number);
  return all;
}

export async function showTask(context: WorkContext, { number }: { readonly number: number }): Promise<TaskReport> {
  const [report] = await reports(context, [requireTask(context, number)]);
  const { text: answer = null, source: answer_source = null } = answerTo(context.store.database, number) ?? {};
  // One task in, one report out.
  return { ...(report ?? { ...requireTask(context, number), position: null, waits: null }), answer, answer_source };
}

const NO_ANSWER = { answer: null, answer_source: null } as const;

async function reports(context: WorkContext, tasks: readonly QueuedTask[]): Promise<readonly TaskReport[]> {
  // A config.toml that a person is editing must not hide the queue.
  const config = await context.config().catch(() => undefined);
  const waits = config && waitsNow(context, config);
  const order = waitingTasks(context.store.database).map(({ number }) => number);
  return tasks.map(({ place: _, ...task }) => {
    const position = order.indexOf(task.number);
    const wait = waits?.get(task.number);
    const words = task.problem ?? (wait === undefined ? null : queueWaitText(wait));
    return { ...task, position: position === -1 ? null : position + 1, waits: task.state === 'waiting' ? words : null, ...NO_ANSWER };
  });
}
