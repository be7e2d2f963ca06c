import { LlmcError } from '../base/error.ts';
import type { Config } from '../config/schema.ts';
import { findQueued } from '../store/tables/queue.ts';
import { addWorker } from './add-worker.ts';
import { assign, newTask, type StartRequest } from './assign-task.ts';
import type { WorkContext } from './context.ts';
import { LOCK_KEYS } from './lock-keys.ts';
import { requireBudget } from './pool/budget.ts';
import { awaitComingUp } from './pool/coming-up.ts';
import { isOnTheWay } from './pool/pick.ts';
import { freeName, isFreeName } from './pool/worker-names.ts';
import { queueTasks } from './queue/queue-tasks.ts';
import { waitsNow } from './queue/show-queue.ts';
import { queueWaitText } from './queue/wait-text.ts';

/** A task that stays in the queue, and for what. */
export interface Queued {
  readonly queued: number;
  readonly waits: string;
}

/** Puts the task into the queue. Returns its delivery once a worker has it, or why it waits for longer than a worker takes to start. */
export async function giveByPool(context: WorkContext, request: StartRequest): Promise<string | Queued> {
  const { store, signal } = context;
  const { prompt, expects, agent, model, timeoutMs } = request;
  const { numbers } = await queueTasks(context, { prompts: [prompt], expects, agent, model });
  const [number = 0] = numbers;
  const config = await context.config();
  const settled = await store.until(
    () => {
      const task = findQueued(store.database, number);
      if (task?.state !== 'waiting') return { task, waits: '' };
      const wait = waitsNow(context, config).get(number);
      const waits =
        task.problem ?? (wait === undefined || wait.kind === 'making' || wait.kind === 'coming' ? undefined : queueWaitText(wait));
      return waits === undefined ? undefined : { task, waits };
    },
    timeoutMs,
    signal,
  );
  if (settled?.task?.delivery != null) return settled.task.delivery;
  if (settled !== undefined && settled.task?.state !== 'waiting')
    throw new LlmcError('CANCELLED', `task ${number} was canceled`, { hint: `llmc queue show ${number}` });
  return { queued: number, waits: settled?.waits ?? 'waits for its worker, which takes long to start' };
}

/**
 * Adds a worker and gives it the task. The queue takes no worker that a start has named, so the new one is for this task. Undefined: a
 * start without a name has taken it meanwhile.
 */
export async function giveToNew(
  context: WorkContext,
  config: Config,
  request: StartRequest,
): Promise<{ readonly id: string; readonly added: string } | undefined> {
  const { locks, namedWorkers, clock, say } = context;
  const { add, prompt, expects = 'commit', agent, model } = request;
  // The task would be refused after its worker was added.
  requireBudget(context, config);
  const { name, named } = await locks.withLock(LOCK_KEYS.pool, async () => {
    const wanted = typeof add === 'string' && (await isFreeName(context, config, add)) ? add : await freeName(context, config);
    return { name: wanted, named: namedWorkers.name(wanted) };
  });
  using _named = named;
  const overrides = { ...(agent !== undefined && { agent }), ...(model !== undefined && { model }) };
  await addWorker(context, { name, overrides });
  say(`Added ${name} for the task`);
  await awaitComingUp(context, (state) => isOnTheWay(state, config, clock.now(), name));
  const task = newTask(context, request);
  try {
    return { id: await locks.withLock(name, () => assign(context, name, { prompt, expects, task, anyAgent: false })), added: name };
  } catch (error) {
    if (isTaken(error) && context.store.state.workers[name]?.status !== 'offline') return undefined;
    throw error;
  }
}

/** A start that named this worker was faster, or the pool removed it. */
export function isTaken(error: unknown): boolean {
  return error instanceof LlmcError && ['WORKER_BUSY', 'WORKER_NOT_FOUND'].includes(error.code);
}
