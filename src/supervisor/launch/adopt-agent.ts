import type { Config } from '../../config/schema.ts';
import { chooseSettings } from '../../config/worker-settings.ts';
import type { Worker } from '../../store/state.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';

/** The agent that a worker should run: its stand-in, or the one of its run or of config.toml. */
export function agentToRun(config: Config, worker: Pick<Worker, 'name' | 'stand_in' | 'run'>): string {
  const { stand_in } = worker;
  return stand_in !== null && isDeclared(config, stand_in) ? stand_in : chooseSettings(config, worker).agent;
}

/** Brings the state in line with config.toml before a launch. An agent cannot resume the conversation of another one. */
export function adoptAgent({ store }: Pick<WorkContext, 'store'>, config: Config, name: string): Worker {
  const before = store.worker(name);
  const agent = agentToRun(config, before);
  if (agent === before.agent) return before;
  // Refuse an unknown agent before anything changes.
  loadAgent(config, agent);
  const own = chooseSettings(config, before).agent;
  store.changeWorker(name, {
    kind: 'agent',
    summary: `runs ${agent} from now on, ${agent === own ? 'as configured' : `in place of ${own}`}; it was ${before.agent}`,
    change: (worker) => Object.assign(worker, { agent, conversation_id: null, conversation_used: false }),
  });
  return store.worker(name);
}

/** llmc cannot read the events and screens of an agent that is missing from config.toml. */
export function isDeclared(config: Config, agent: string): boolean {
  try {
    loadAgent(config, agent);
    return true;
  } catch {
    return false;
  }
}
