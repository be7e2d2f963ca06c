import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { findQueued, insertQueued, type NewTask, type QueuedTask, wasPruned } from '../../store/tables/queue.ts';
import type { WorkContext } from '../context.ts';
import { isLike, listPool } from '../pool/pick.ts';

/** What a person may say about a task in the queue. */
export type Wish = { readonly [Key in 'priority' | 'worker' | 'agent' | 'model' | 'after']?: NewTask[Key] | undefined };

export interface QueueRequest extends Wish {
  readonly prompts: readonly string[];
  readonly expects?: NewTask['expects'] | undefined;
  /** Also for an agent or a model that no worker has: a person is asked whether to add one. */
  readonly unserved?: boolean | undefined;
  /** An agent asked for it. */
  readonly byAgent?: boolean | undefined;
}

/** Puts tasks into the queue, all of them or none. They are there when this returns, whatever ends afterwards. */
export async function queueTasks(context: WorkContext, request: QueueRequest): Promise<{ readonly numbers: readonly number[] }> {
  const { store, clock } = context;
  const { prompts, expects = 'commit', priority = 0, worker = null, agent = null, model = null, after = [] } = request;
  requirePossible(context, await context.config(), request, request.unserved);
  if (request.byAgent === true && priority > 0)
    throw new LlmcError('INVALID_ARGUMENT', 'a task of an agent does not go before those of a person', { hint: 'Leave --priority out.' });
  const numbers: number[] = [];
  store.commit({
    worker: null,
    kind: 'queue',
    summary: prompts.length === 1 ? 'a task was put into the queue' : `${prompts.length} tasks were put into the queue`,
    rows: (database) => {
      for (const prompt of prompts)
        numbers.push(insertQueued(database, { prompt, expects, priority, worker, agent, model, after, created_ms: clock.now() }));
    },
  });
  return { numbers };
}

/** Refuses what could never begin. What cannot begin yet, waits. */
export function requirePossible(
  { store }: Pick<WorkContext, 'store'>,
  config: Config,
  { worker, agent, model, after = [] }: Wish,
  unserved = false,
): void {
  const named = worker == null ? undefined : store.worker(worker);
  if (named !== undefined && named.run !== null)
    throw new LlmcError('WORKER_BUSY', `${named.name} works for the run ${named.run.id} alone`, { hint: 'llmc status' });
  // Throws for an agent that nothing declares.
  if (agent != null) agentProgram(config, agent);
  // The pool makes a worker with them.
  if (named !== undefined || (config.pool.max === 0 && !unserved))
    requireLike({ store }, config, { agent: agent ?? null, model: model ?? null }, named);
  for (const number of after) {
    const { state } = requireTask({ store }, number);
    if (state === 'dropped' || state === 'canceled')
      throw new LlmcError('INVALID_ARGUMENT', `task ${number} will not be done: it was ${state}`, { hint: `llmc queue show ${number}` });
  }
}

/** Throws if no worker, or not the named one, has the agent and the model that a task asks for. */
export function requireLike(
  { store }: Pick<WorkContext, 'store'>,
  config: Config,
  { agent, model }: Pick<QueuedTask, 'agent' | 'model'>,
  named?: Worker,
): void {
  if (agent === null && model === null) return;
  const among = named === undefined ? listPool(store.state, config) : [named];
  const able = (wanted: string | null) => among.some((one) => isLike(config, one, { agent, model: wanted }));
  if (able(model)) return;
  const what = agent !== null && !able(null) ? `the agent ${agent}` : `the model ${model}`;
  const problem = named === undefined ? `no worker of the pool has ${what}` : `${named.name} does not have ${what}`;
  const wish = [...(agent === null ? [] : ['--agent', agent]), ...(model === null ? [] : ['--model', model])];
  throw new LlmcError('NO_IDLE_WORKER', problem, { hint: commandLine('llmc', 'add', 'zoe', ...wish) });
}

export function requireTask({ store }: Pick<WorkContext, 'store'>, number: number): QueuedTask {
  const task = findQueued(store.database, number);
  if (task !== undefined) return task;
  const problem = wasPruned(store.database, number)
    ? `task ${number} ended long ago, and llmc does not keep it any more`
    : `there is no task ${number}`;
  throw new LlmcError('TASK_NOT_FOUND', problem, { hint: 'llmc queue list' });
}
