import { nameFamily } from './agent-program.ts';
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
  const family = nameFamily(config, agent);
  const named = family === nameFamily(config, configured) ? own?.model : undefined;
  return {
    name,
    agent,
    model: named ?? defaultModel(family, nameFamily(config, defaults.agent), defaults.model),
    rolePrompt: own?.rolePrompt ?? defaults.rolePrompt,
    excludedFromPool: own?.excludedFromPool ?? defaults.excludedFromPool,
    skipPermissions: own?.skipPermissions ?? defaults.skipPermissions,
    allowedTools: own?.allowedTools ?? defaults.allowedTools,
    soundOnReview: own?.soundOnReview ?? defaults.soundOnReview,
    sandbox: own?.sandbox ?? config.sandbox.kind,
    sandboxUser: own?.sandboxUser ?? config.sandbox.user,
  };
}

/** What a worker that llmc made by itself has in place of a table in config.toml. */
interface MadeSettings {
  readonly agent: string;
  readonly model: string | null;
  readonly role_prompt?: string | null;
}

interface AnyWorker {
  readonly name: string;
  readonly run: MadeSettings | null;
  readonly pool?: MadeSettings | null;
}

/** Whether llmc made this worker for the pool and removes it again. A person keeps one by giving it a table in config.toml. */
export function isOfPool(config: Config, { name, pool = null }: Pick<AnyWorker, 'name' | 'pool'>): boolean {
  return pool !== null && !Object.hasOwn(config.workers, name);
}

/** The settings of a worker: of its run or the pool, if llmc made it, else of config.toml. `running`: the agent that runs now, if it is another one. */
export function chooseSettings(config: Config, worker: AnyWorker, running?: string): WorkerSettings {
  const { name, run, pool = null } = worker;
  const made = run ?? (isOfPool(config, worker) ? pool : null);
  if (made === null) return workerSettings(config, name, running);
  const agent = running ?? made.agent;
  const family = nameFamily(config, agent);
  const named = family === nameFamily(config, made.agent) ? made.model : null;
  const { defaults, sandbox } = config;
  return {
    name,
    agent,
    model: named ?? defaultModel(family, nameFamily(config, defaults.agent), defaults.model),
    rolePrompt: made.role_prompt ?? defaults.rolePrompt,
    // A run alone gives its workers tasks.
    excludedFromPool: run !== null,
    soundOnReview: defaults.soundOnReview,
    skipPermissions: defaults.skipPermissions,
    allowedTools: defaults.allowedTools,
    sandbox: sandbox.kind,
    sandboxUser: sandbox.user,
  };
}

/** The users that agents of this root run as, each once. */
export function sandboxUsers(config: Config): readonly string[] {
  const settings = Object.keys(config.workers).map((name) => workerSettings(config, name));
  const { sandbox, pool } = config;
  const users = settings.filter((one) => one.sandbox === 'user').map(({ sandboxUser }) => sandboxUser);
  return [...new Set([...users, ...(pool.max > 0 && sandbox.kind === 'user' ? [sandbox.user] : [])])];
}
