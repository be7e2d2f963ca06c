import type { Environment } from '../../agents/agent.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { environmentInside } from '../../sandbox/environment-inside.ts';
import { readSandboxKind, type SandboxKind } from '../../sandbox/lives-in-sandbox.ts';
import { layoutAround } from '../../store/layout.ts';
import type { Worker } from '../../store/state.ts';
import { loadAgent } from '../../workers/context.ts';

const KNOWN = new WeakMap<Config, Map<string, Environment>>();

/** The environment of a worker's agent, which decides where its own files are. It is built once: copying `process.env` is slow. */
export function agentEnvironment(config: Config, worker: Worker): Environment {
  const known = KNOWN.get(config) ?? new Map<string, Environment>();
  KNOWN.set(config, known);
  const sandbox = readSandboxKind(worker);
  const key = sandbox === 'none' ? worker.agent : `${worker.agent} ${worker.name} ${sandbox}`;
  const environment = known.get(key) ?? {
    ...process.env,
    ...agentProgram(config, worker.agent).env,
    ...ownFolder(config, worker, sandbox),
  };
  known.set(key, environment);
  return environment;
}

function ownFolder(config: Config, worker: Worker, sandbox: SandboxKind): Environment {
  if (sandbox === 'none') return {};
  return environmentInside(layoutAround(worker.worktree_path), worker.name, loadAgent(config, worker.agent).configFolder);
}
