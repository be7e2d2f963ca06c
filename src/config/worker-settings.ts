import { familyOf } from './agent-program.ts';
import { defaultModel } from './default-model.ts';
import type { Config, SandboxOptions } from './schema.ts';

/** The settings of one worker: its own table over `[defaults]`. */
export interface WorkerSettings {
  readonly name: string;
  readonly agent: string;
  readonly model: string;
  readonly rolePrompt: string;
  readonly excludedFromPool: boolean;
  readonly skipPermissions: boolean;
  readonly allowedTools: readonly string[];
  readonly soundOnReview: boolean;
  readonly sandbox: SandboxOptions['kind'];
  /** Whom the agent runs as, if its sandbox is a user. */
  readonly sandboxUser: string;
}

/** A worker without a table gets the defaults. `running`: the agent that runs now, if it is not the configured one. */
export function workerSettings(config: Config, name: string, running?: string): WorkerSettings {
  const { defaults } = config;
  // hasOwn, because "constructor" is a valid worker name.
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
    sandbox: own?.sandbox ?? config.sandbox.kind,
    sandboxUser: own?.sandboxUser ?? config.sandbox.user,
  };
}

/** The users that agents of this root run as, each once. */
export function sandboxUsers(config: Config): readonly string[] {
  const settings = Object.keys(config.workers).map((name) => workerSettings(config, name));
  return [...new Set(settings.filter(({ sandbox }) => sandbox === 'user').map(({ sandboxUser }) => sandboxUser))];
}
