import { agentProgram, nameFamily } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { chooseSettings, isOfPool } from '../../config/worker-settings.ts';
import type { State, Worker } from '../../store/state.ts';
import { workersInMaking } from '../../store/tables/pool-making.ts';
import type { QueuedTask } from '../../store/tables/queue.ts';
import type { WorkContext } from '../context.ts';
import { limitInWords } from '../prompt/delivery-reason-text.ts';
import { standing } from '../status/transitions.ts';
import { holdingLimit } from './account.ts';
import { isComingUp } from './coming-up.ts';
import type { Fresh, PoolView, PoolWorker } from './decide-pool.ts';
import { listPool } from './pick.ts';
import { freeAgent, ownAgent } from './switch-agent.ts';

/** The pool as it is now. */
export function readPool({ store, clock }: Pick<WorkContext, 'store' | 'clock'>, config: Config): PoolView {
  const { state, database } = store;
  const now = clock.now();
  const { max, keepSecs } = config.pool;
  return {
    max,
    keepMs: keepSecs * 1_000,
    workers: listPool(state, config).map((worker) => poolWorker(config, worker, now)),
    making: new Map(workersInMaking(database).map(({ task, worker }) => [task, worker])),
    freshFor: (task) => freshFor(state, config, task, now),
  };
}

function poolWorker(config: Config, worker: Worker, now: number): PoolWorker {
  return {
    name: worker.name,
    agent: ownAgent(config, worker),
    model: chooseSettings(config, worker).model,
    isMade: isOfPool(config, worker),
    standing: judgeStanding(worker),
    idleMs: Math.max(0, now - worker.last_activity_unix * 1_000),
  };
}

function judgeStanding(worker: Worker): PoolWorker['standing'] {
  const { status, current_prompt } = worker;
  if (status === 'idle') return 'idle';
  if (isComingUp(worker) && standing(worker) === 'idle') return 'coming';
  if (standing(worker) === 'idle' || (status === 'error' && current_prompt === null)) return 'failed';
  return ['needs_review', 'needs_input', 'error'].includes(standing(worker)) ? 'called' : 'busy';
}

/** What a new worker for a task is like. `model`: null for the one of the configuration. */
function likeFor(config: Config, wish: Pick<QueuedTask, 'agent' | 'model'>): { readonly agent: string; readonly model: string | null } {
  const { pool, defaults } = config;
  const usual = pool.agent ?? defaults.agent;
  const agent = wish.agent ?? usual;
  const isSame = nameFamily(config, agent) === nameFamily(config, usual);
  return { agent, model: wish.model ?? (isSame ? (pool.model ?? null) : null) };
}

function freshFor(state: State, config: Config, task: QueuedTask, now: number): Fresh {
  const like = likeFor(config, task);
  const wantsNoOther = task.agent !== null || task.model !== null;
  const limit = holdingLimit(state, config, like.agent, now);
  const mayWork = wantsNoOther ? limit === undefined : freeAgent(state, config, like.agent, now) !== undefined;
  if (mayWork || limit === undefined) return { kind: 'worker', ...like };
  return { kind: 'limit', limit: limitInWords(agentProgram(config, like.agent).account, limit.until_ms, now) };
}
