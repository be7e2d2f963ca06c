import type { Config } from '../../config/schema.ts';
import { workerSettings } from '../../config/worker-settings.ts';
import type { Worker } from '../../store/state.ts';
import { agentOf, type WorkContext } from '../../workers/context.ts';

/**
 * Before a launch: config.toml says which agent a worker runs, and the state follows; only a stand-in goes before it.
 * No agent can take up another one's conversation.
 */
export function adoptAgent({ store }: Pick<WorkContext, 'store'>, config: Config, name: string): Worker {
  const before = store.worker(name);
  const own = workerSettings(config, name).agent;
  const agent = before.stand_in !== null && isDeclared(config, before.stand_in) ? before.stand_in : own;
  if (agent === before.agent) return before;
  // Refused while nothing has changed yet.
  agentOf(config, agent);
  store.changeWorker(name, {
    kind: 'agent',
    summary: `runs ${agent} from now on, ${agent === own ? 'as config.toml says' : `in place of ${own}`}; it was ${before.agent}`,
    change: (worker) => Object.assign(worker, { agent, conversation_id: null, conversation_used: false }),
  });
  return store.worker(name);
}

/** An agent taken out of config.toml has nobody left to understand what it said last. */
export function isDeclared(config: Config, agent: string): boolean {
  try {
    agentOf(config, agent);
    return true;
  } catch {
    return false;
  }
}
