import { fault } from '../../base/fault.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { chooseSettings } from '../../config/worker-settings.ts';
import type { State, Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { holdingLimit } from './account.ts';

/** Returns the worker's own agent, also while another one stands in for it. */
export function ownAgent(config: Config, worker: Worker): string {
  return worker.stand_in === null ? worker.agent : chooseSettings(config, worker).agent;
}

/** Returns the agent for a new task: the worker's own, or the first fallback that is not at a usage limit; undefined if all are. */
export function agentFor(state: State, config: Config, worker: Worker, now: number): string | undefined {
  return freeAgent(state, config, ownAgent(config, worker), now);
}

/** Returns the agent itself, or its first fallback that is not at a usage limit; undefined if all are. */
export function freeAgent(state: State, config: Config, first: string, now: number): string | undefined {
  const asked = new Set<string>();
  for (let agent: string | undefined = first; agent !== undefined && !asked.has(agent); ) {
    if (holdingLimit(state, config, agent, now) === undefined) return agent;
    asked.add(agent);
    agent = agentProgram(config, agent).fallback;
  }
  return undefined;
}

/**
 * Replaces the agent of an idle worker before it gets a task. An idle worker has nothing to lose.
 * Records the change first: if the supervisor is killed in between, the next task corrects it.
 */
export async function switchAgent(context: WorkContext, config: Config, name: string, agent: string): Promise<void> {
  const { store } = context;
  const before = store.worker(name);
  const own = ownAgent(config, before);
  const standIn = agent === own ? null : agent;
  const note = (stand_in: string | null, summary: string) =>
    store.changeWorker(name, { kind: 'agent', summary, change: (worker) => Object.assign(worker, { stand_in }) });
  if (before.stand_in !== standIn) {
    note(standIn, standIn === null ? `${own} works again` : `${agent} stands in for ${own}, which waits for a usage limit`);
    fault('stand-in:after-note');
  }
  if (before.agent === agent) return;
  try {
    await context.agents.restart(name);
    fault('stand-in:after-restart');
  } catch (error) {
    note(before.stand_in, `${agent} could not be started`);
    throw error;
  }
}
