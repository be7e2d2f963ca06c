import { agentProgram } from '../config/agent-program.ts';
import type { Config } from '../config/schema.ts';
import { workerSettings } from '../config/worker-settings.ts';

/** The agents in use: the default, those of the workers and the pool, and their fallbacks. */
export function usedAgents(config: Config): readonly string[] {
  const ofPool = config.pool.max > 0 && config.pool.agent !== undefined ? [config.pool.agent] : [];
  const used = new Set([
    config.defaults.agent,
    ...ofPool,
    ...Object.keys(config.workers).map((name) => workerSettings(config, name).agent),
  ]);
  // The loop also visits names added during the loop, so it finds fallbacks of fallbacks.
  for (const name of used) {
    const { fallback } = agentProgram(config, name);
    if (fallback !== undefined) used.add(fallback);
  }
  return [...used];
}
