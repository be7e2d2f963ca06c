import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { settingsOf } from '../../config/worker-settings.ts';
import { findQueued, insertQueued, type NewTask, type QueuedTask, wasPruned } from '../../store/tables/queue.ts';
import type { WorkContext } from '../context.ts';
import { ownAgent } from '../pool/switch-agent.ts';

/** What a person may say about a task in the queue. */
export type Wish = { readonly [Key in 'priority' | 'worker' | 'agent' | 'after']?: NewTask[Key] | undefined };

export interface QueueRequest extends Wish {
  readonly prompts: readonly string[];
  readonly expects?: NewTask['expects'] | undefined;
  /** An agent asked for it. */
  readonly byAgent?: boolean | undefined;
}

/** Puts tasks into the queue, all of them or none. They are there when this returns, whatever ends afterwards. */
export async function queueTasks(context: WorkContext, request: QueueRequest): Promise<{ readonly numbers: readonly number[] }> {
  const { store, clock } = context;
  const { prompts, expects = 'commit', priority = 0, worker = null, agent = null, after = [] } = request;
  requirePossible(context, await context.config(), request);
  if (request.byAgent === true && priority > 0)
    throw new LlmcError('INVALID_ARGUMENT', 'a task of an agent does not go before those of a person', { hint: 'Leave --priority out.' });
  const numbers: number[] = [];
  store.commit({
    worker: null,
    kind: 'queue',
    summary: prompts.length === 1 ? 'a task was put into the queue' : `${prompts.length} tasks were put into the queue`,
    rows: (database) => {
      for (const prompt of prompts)
        numbers.push(insertQueued(database, { prompt, expects, priority, worker, agent, after, created_ms: clock.now() }));
    },
  });
  return { numbers };
}

/** Refuses what could never begin. What cannot begin yet, waits. */
export function requirePossible({ store }: Pick<WorkContext, 'store'>, config: Config, { worker, agent, after = [] }: Wish): void {
  const named = worker == null ? undefined : store.worker(worker);
  if (named !== undefined && named.run !== null)
    throw new LlmcError('WORKER_BUSY', `${named.name} works for the run ${named.run.id} alone`, { hint: 'llmc status' });
  if (agent != null) requireAgent({ store }, config, agent, named?.name);
  for (const number of after) {
    const { state } = requireTask({ store }, number);
    if (state === 'dropped' || state === 'canceled')
      throw new LlmcError('INVALID_ARGUMENT', `task ${number} will not be done: it was ${state}`, { hint: `llmc queue show ${number}` });
  }
}

function requireAgent({ store }: Pick<WorkContext, 'store'>, config: Config, agent: string, worker: string | undefined): void {
  // Throws for an agent that nothing declares.
  agentProgram(config, agent);
  const workers = Object.values(store.state.workers).filter((one) => one.run === null && ownAgent(config, one) === agent);
  const able = workers.filter((one) => (worker === undefined ? !settingsOf(config, one).excludedFromPool : one.name === worker));
  if (able.length > 0) return;
  const problem = worker === undefined ? `no worker of the pool has the agent ${agent}` : `${worker} does not have the agent ${agent}`;
  throw new LlmcError('NO_IDLE_WORKER', problem, { hint: commandLine('llmc', 'add', 'zoe', '--agent', agent) });
}

export function requireTask({ store }: Pick<WorkContext, 'store'>, number: number): QueuedTask {
  const task = findQueued(store.database, number);
  if (task !== undefined) return task;
  const problem = wasPruned(store.database, number)
    ? `task ${number} ended long ago, and llmc does not keep it any more`
    : `there is no task ${number}`;
  throw new LlmcError('TASK_NOT_FOUND', problem, { hint: 'llmc queue list' });
}
