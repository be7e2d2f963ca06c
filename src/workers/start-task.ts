import { LlmcError } from '../base/error.ts';
import { agentProgram } from '../config/agent-program.ts';
import { assign, newTask, type StartRequest } from './assign-task.ts';
import type { WorkContext } from './context.ts';
import { LOCK_KEYS } from './lock-keys.ts';
import { awaitComingUp } from './pool/coming-up.ts';
import { isOnTheWay, pickIdle } from './pool/pick.ts';
import { awaitDelivery, type Sent } from './prompt/await-delivery.ts';
import { isLimitReason } from './prompt/delivery-reason-text.ts';
import { wantsNoStandIn } from './queue/decide-queue.ts';
import { requireLike } from './queue/queue-tasks.ts';
import { giveByPool, giveToNew, isTaken, type Queued } from './start-on-new.ts';

/** `added`: the worker that was added for the task. A task for which the pool has no place yet waits in the queue. */
export type Started = (Sent & { readonly added?: string }) | Queued;

/**
 * Gives a task to an idle worker. Resolves when the agent itself has acknowledged the prompt. If none is idle, a worker is added if the
 * request says so, or the pool makes one.
 */
export async function startTask(context: WorkContext, request: StartRequest): Promise<Started> {
  const sent = async (id: string) => await awaitDelivery(context, id, request.timeoutMs, isLimitReason);
  try {
    return await sent(await assignNow(context, request));
  } catch (error) {
    if (!(error instanceof LlmcError) || request.worker !== undefined) throw error;
    const config = await context.config();
    const isForPool = config.pool.max > 0 && ['NO_IDLE_WORKER', 'RATE_LIMITED'].includes(error.code);
    if (isForPool) {
      const given = await giveByPool(context, request);
      return typeof given === 'string' ? await sent(given) : given;
    }
    if (request.add === undefined || error.code !== 'NO_IDLE_WORKER') throw error;
    const given = await giveToNew(context, config, request);
    return given === undefined ? await startTask(context, request) : { ...(await sent(given.id)), added: given.added };
  }
}

async function assignNow(context: WorkContext, request: StartRequest): Promise<string> {
  const { clock, namedWorkers, locks } = context;
  const { agent = null, model = null } = request;
  const like = { agent, model };
  // Before the first await: reading config.toml takes some requests longer, and a later request would pick this worker.
  using _named = request.worker === undefined ? undefined : namedWorkers.name(request.worker);
  const config = await context.config();
  if (agent !== null) agentProgram(config, agent);
  if (request.worker !== undefined) requireLike(context, config, like, context.store.worker(request.worker));
  await awaitComingUp(context, (state) => isOnTheWay(state, config, clock.now(), request.worker, like));
  const { prompt, expects = 'commit' } = request;
  const task = newTask(context, request);
  const anyAgent = !wantsNoStandIn({ worker: request.worker ?? null, ...like });
  const give = (name: string) => locks.withLock(name, () => assign(context, name, { prompt, expects, task, anyAgent }));
  if (request.worker !== undefined) return await give(request.worker);
  // Two starts at once must not pick the same worker. A start with a name does not pick, so it can wait for its worker's lock alone.
  return await locks.withLock(LOCK_KEYS.start, async () => {
    for (;;) {
      const { name } = pickIdle(
        context.store.state,
        config,
        clock.now(),
        (worker) => !locks.isLocked(worker) && !namedWorkers.isNamed(worker),
        like,
      );
      try {
        return await give(name);
      } catch (error) {
        // A start that named this worker was faster, or the pool removed it. Other workers may still be idle.
        if (!isTaken(error)) throw error;
      }
    }
  });
}
