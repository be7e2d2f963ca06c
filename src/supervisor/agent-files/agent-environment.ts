import type { Environment } from '../../agents/agent.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';

const KNOWN = new WeakMap<Config, Map<string, Environment>>();

/** The environment of the agent, which decides where its own files are. It is built once: copying `process.env` is slow. */
export function agentEnvironment(config: Config, agent: string): Environment {
  const known = KNOWN.get(config) ?? new Map<string, Environment>();
  KNOWN.set(config, known);
  const environment = known.get(agent) ?? { ...process.env, ...agentProgram(config, agent).env };
  known.set(agent, environment);
  return environment;
}
