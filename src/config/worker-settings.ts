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

/** A worker without a table of its own runs on the defaults. */
export function workerSettings(config: Config, name: string): WorkerSettings {
  const { defaults } = config;
  // hasOwn: "constructor" is a fine name for a worker.
  const own = Object.hasOwn(config.workers, name) ? config.workers[name] : undefined;
  return {
    name,
    agent: own?.agent ?? defaults.agent,
    model: own?.model ?? defaults.model,
    rolePrompt: own?.rolePrompt ?? defaults.rolePrompt,
    excludedFromPool: own?.excludedFromPool ?? defaults.excludedFromPool,
    skipPermissions: own?.skipPermissions ?? defaults.skipPermissions,
    allowedTools: own?.allowedTools ?? defaults.allowedTools,
    soundOnReview: own?.soundOnReview ?? defaults.soundOnReview,
  };
}
