import type { Config } from '../../config/schema.ts';
import { workerSettings } from '../../config/worker-settings.ts';
import type { Worker } from '../../store/state.ts';
import { agentOf, type WorkContext } from '../../workers/context.ts';

/** The agent a worker is to run: its stand-in, else the one config.toml names. */
export function agentToRun(config: Config, { name, stand_in }: Pick<Worker, 'name' | 'stand_in'>): string {
  return stand_in !== null && isDeclared(config, stand_in) ? stand_in : workerSettings(config, name).agent;
}

/** Before a launch: the state follows config.toml. No agent can take up another one's conversation. */
export function adoptAgent({ store }: Pick<WorkContext, 'store'>, config: Config, name: string): Worker {
  const before = store.worker(name);
  const agent = agentToRun(config, before);
  if (agent === before.agent) return before;
  // Refuses an unknown agent before anything has changed.
  agentOf(config, agent);
  const own = workerSettings(config, name).agent;
  store.changeWorker(name, {
    kind: 'agent',
    summary: `runs ${agent} from now on, ${agent === own ? 'as config.toml says' : `in place of ${own}`}; it was ${before.agent}`,
    change: (worker) => Object.assign(worker, { agent, conversation_id: null, conversation_used: false }),
  });
  return store.worker(name);
}

/** The events and screens of an agent that was taken out of config.toml cannot be read any more. */
export function isDeclared(config: Config, agent: string): boolean {
  try {
    agentOf(config, agent);
    return true;
  } catch {
    return false;
  }
}
