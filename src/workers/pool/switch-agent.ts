import { fault } from '../../base/fault.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { workerSettings } from '../../config/worker-settings.ts';
import type { State, Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { holdingLimit } from './account.ts';

/** The agent a worker runs when none stands in for it. */
export function ownAgent(config: Config, worker: Worker): string {
  return worker.stand_in === null ? worker.agent : workerSettings(config, worker.name).agent;
}

/** Who would do a new task of this worker: its own agent, or the first fallback that waits for no usage limit; undefined when all of them do. */
export function agentFor(state: State, config: Config, worker: Worker, now: number): string | undefined {
  const asked = new Set<string>();
  for (let agent: string | undefined = ownAgent(config, worker); agent !== undefined && !asked.has(agent); ) {
    if (holdingLimit(state, config, agent, now) === undefined) return agent;
    asked.add(agent);
    agent = agentProgram(config, agent).fallback;
  }
  return undefined;
}

/**
 * Before a task is given: the agent in its terminal is replaced, while the worker is idle and nobody can lose anything by it.
 * Written down first, so that a supervisor killed in between finds either agent, and the next task puts it right.
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
