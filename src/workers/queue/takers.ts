import type { Config } from '../../config/schema.ts';
import { chooseSettings } from '../../config/worker-settings.ts';
import type { Worker } from '../../store/state.ts';
import type { Store } from '../../store/store.ts';
import { readQueueStates, waitingTasks } from '../../store/tables/queue.ts';
import type { WorkContext } from '../context.ts';
import { holdingLimit } from '../pool/account.ts';
import { budgetReason } from '../pool/budget.ts';
import { agentFor, ownAgent } from '../pool/switch-agent.ts';
import { limitInWords } from '../prompt/delivery-reason-text.ts';
import type { Queue, Taker } from './decide-queue.ts';

/** The queue and the workers as they are now. */
export function readQueue(context: Pick<WorkContext, 'store' | 'clock'>, config: Config): Omit<Queue, 'mayTry'> {
  const { store, clock } = context;
  const tasks = waitingTasks(store.database);
  return {
    tasks,
    states: readQueueStates(
      store.database,
      tasks.flatMap(({ after }) => after),
    ),
    takers: listTakers(store, config, clock.now()),
    budget: budgetReason(context, config),
  };
}

function listTakers({ state }: Store, config: Config, now: number): readonly Taker[] {
  const taker = (worker: Worker): Taker => {
    const own = ownAgent(config, worker);
    const agent = agentFor(state, config, worker, now);
    const limit = holdingLimit(state, config, own, now);
    return {
      name: worker.name,
      inPool: !chooseSettings(config, worker).excludedFromPool,
      isIdle: worker.status === 'idle',
      agent: own,
      model: chooseSettings(config, worker).model,
      ownMayWork: limit === undefined,
      limit: limit && limitInWords(limit.account, limit.until_ms, now),
      anyMayWork: agent !== undefined,
      isReady: worker.agent === agent,
    };
  };
  return Object.values(state.workers)
    .filter(({ run }) => run === null)
    .sort((a, b) => a.created_at_unix - b.created_at_unix)
    .map(taker);
}
