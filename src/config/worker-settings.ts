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

/** What a worker of a run has in place of a table in config.toml. */
export interface SettingsOfRun {
  readonly agent: string;
  readonly model: string | null;
  readonly role_prompt: string | null;
}

/** The settings of a worker: of its run, if it has one, else of config.toml. `running`: the agent that runs now, if it is another one. */
export function settingsOf(
  config: Config,
  { name, run }: { readonly name: string; readonly run: SettingsOfRun | null },
  running?: string,
): WorkerSettings {
  if (run === null) return workerSettings(config, name, running);
  const agent = running ?? run.agent;
  const family = familyOf(config, agent);
  const named = family === familyOf(config, run.agent) ? run.model : null;
  const { defaults, sandbox } = config;
  return {
    name,
    agent,
    model: named ?? defaultModel(family, familyOf(config, defaults.agent), defaults.model),
    rolePrompt: run.role_prompt ?? defaults.rolePrompt,
    // Its run alone gives it tasks.
    excludedFromPool: true,
    soundOnReview: defaults.soundOnReview,
    ...{ skipPermissions: defaults.skipPermissions, allowedTools: defaults.allowedTools },
    ...{ sandbox: sandbox.kind, sandboxUser: sandbox.user },
  };
}

/** The users that agents of this root run as, each once. */
export function sandboxUsers(config: Config): readonly string[] {
  const settings = Object.keys(config.workers).map((name) => workerSettings(config, name));
  return [...new Set(settings.filter(({ sandbox }) => sandbox === 'user').map(({ sandboxUser }) => sandboxUser))];
}
