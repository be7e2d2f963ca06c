import type { Environment } from '../../agents/agent.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { sandboxEnvironment } from '../../sandbox/agent-view.ts';
import { livesInSandbox } from '../../sandbox/lives-in-sandbox.ts';
import { layoutAround } from '../../store/layout.ts';
import type { Worker } from '../../store/state.ts';
import { agentOf } from '../../workers/context.ts';

const KNOWN = new WeakMap<Config, Map<string, Environment>>();

/** The environment of a worker's agent, which decides where its own files are. It is built once: copying `process.env` is slow. */
export function agentEnvironment(config: Config, worker: Worker): Environment {
  const known = KNOWN.get(config) ?? new Map<string, Environment>();
  KNOWN.set(config, known);
  const key = livesInSandbox(worker) ? `${worker.agent} ${worker.name}` : worker.agent;
  const environment = known.get(key) ?? { ...process.env, ...agentProgram(config, worker.agent).env, ...ownFolder(config, worker) };
  known.set(key, environment);
  return environment;
}

function ownFolder(config: Config, worker: Worker): Environment {
  if (!livesInSandbox(worker)) return {};
  return sandboxEnvironment(layoutAround(worker.worktree_path), worker.name, agentOf(config, worker.agent).configFolder);
}
