import type { Environment } from '../../agents/agent.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';

const KNOWN = new WeakMap<Config, Map<string, Environment>>();

/** Where the agent's own files lie depends on the environment it was given. Put together once: asking the system for all of ours is slow. */
export function agentEnvironment(config: Config, agent: string): Environment {
  const known = KNOWN.get(config) ?? new Map<string, Environment>();
  KNOWN.set(config, known);
  const environment = known.get(agent) ?? { ...process.env, ...agentProgram(config, agent).env };
  known.set(agent, environment);
  return environment;
}
