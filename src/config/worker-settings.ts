import { familyOf } from './agent-program.ts';
import { defaultModel } from './default-model.ts';
import type { Config } from './schema.ts';

/** What one worker runs with: its own table over `[defaults]`. */
export interface WorkerSettings {
  readonly name: string;
  readonly agent: string;
  readonly model: string;
  readonly rolePrompt: string;
  readonly excludedFromPool: boolean;
  readonly skipPermissions: boolean;
  readonly allowedTools: readonly string[];
  readonly soundOnReview: boolean;
}

/** A worker without a table of its own runs on the defaults. `running`: the agent it really runs, where that is not the configured one. */
export function workerSettings(config: Config, name: string, running?: string): WorkerSettings {
  const { defaults } = config;
  // hasOwn: "constructor" is a fine name for a worker.
  const own = Object.hasOwn(config.workers, name) ? config.workers[name] : undefined;
  const configured = own?.agent ?? defaults.agent;
  const agent = running ?? configured;
  const family = familyOf(config, agent);
  const named = family === familyOf(config, configured) ? own?.model : undefined;
  return {
    name,
    agent,
    model: named ?? defaultModel(family, familyOf(config, defaults.agent), defaults.model),
    rolePrompt: own?.rolePrompt ?? defaults.rolePrompt,
    excludedFromPool: own?.excludedFromPool ?? defaults.excludedFromPool,
    skipPermissions: own?.skipPermissions ?? defaults.skipPermissions,
    allowedTools: own?.allowedTools ?? defaults.allowedTools,
    soundOnReview: own?.soundOnReview ?? defaults.soundOnReview,
  };
}
