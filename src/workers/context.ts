import type { Agent } from '../agents/agent.ts';
import { declaredAgent } from '../agents/declared/adapter.ts';
import { findAgent } from '../agents/registry.ts';
import { KeyedLocks } from '../base/keyed-locks.ts';
import type { Clock, Processes, Random } from '../base/ports.ts';
import { agentProgram } from '../config/agent-program.ts';
import { interpretConfig, readConfigFile } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { type Git, openGit } from '../git/run.ts';
import type { Layout } from '../store/layout.ts';
import type { Store } from '../store/store.ts';
import { fileStamp } from '../system/files/file-stamp.ts';
import { startLineProcess } from '../system/processes/line-process.ts';
import { timeBox } from '../system/time-box.ts';
import { ControlClient } from '../terminal/control-client.ts';
import { Terminal } from '../terminal/terminal.ts';
import { StartQueue } from './pool/start-queue.ts';

/** What every use-case may reach for. */
export interface WorkContext {
  readonly layout: Layout;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: Processes;
  readonly git: Git;
  readonly terminal: Terminal;
  readonly config: () => Promise<Config>;
  /** One hand at a time on a worker, and on main. */
  readonly locks: KeyedLocks;
  /** Tasks that wait for an idle worker. */
  readonly startQueue: StartQueue;
  /** Why the refresh of a review has failed since it last worked, by worker (`null`: for all), so that each reason is recorded once. */
  readonly refreshFailures: Map<string | null, Set<string>>;
  /** Whether a supervisor is there to type. */
  readonly supervised: boolean;
  /** Starts a worker's agent anew in a fresh conversation; nothing to do while no supervisor runs. */
  readonly restartAgent: (name: string) => Promise<void>;
  /** Makes a worktree that was deleted again, and an agent that lived in it starts anew in its conversation. */
  readonly keepWorktree: (name: string) => Promise<void>;
  /** Stops the turn a busy agent is in. */
  readonly interrupt: (name: string) => Promise<void>;
  /** Whether its agent is seen at a usage limit that it waits for and goes on after without being told. */
  readonly continuesByItself: (name: string) => boolean;
  /** One line of progress for the person waiting. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

export function openContext(
  store: Store,
  ports: { clock: Clock; random: Random; processes: Processes },
  options: Pick<WorkContext, 'supervised' | 'say' | 'signal' | 'restartAgent' | 'keepWorktree' | 'interrupt' | 'continuesByItself'> & {
    readonly lastingClient?: boolean;
  },
): WorkContext {
  const { layout } = store;
  return {
    layout,
    store,
    ...ports,
    git: openGit(ports.processes),
    terminal: new Terminal(layout.tmuxSocket, ports.processes, {
      control: options.lastingClient === true ? new ControlClient(layout.tmuxSocket, startLineProcess, ports.clock) : undefined,
      deaths: layout.deaths,
    }),
    config: cachedConfig(layout),
    locks: new KeyedLocks(),
    startQueue: new StartQueue(),
    refreshFailures: new Map(),
    ...options,
  };
}

/** Patterns run some ten times a second; a line of a screen takes them microseconds, and a busy machine may hold them up. */
const PATTERNS_LIMIT_MS = 1_000;
const declared = new WeakMap<object, Agent>();

/** A declared agent is made once per reading of config.toml. */
export function agentOf(config: Config, name: string): Agent {
  const { adapter, declaration } = agentProgram(config, name);
  if (declaration === undefined) return findAgent(adapter);
  const agent = declared.get(declaration) ?? declaredAgent(adapter, declaration, (work) => timeBox(PATTERNS_LIMIT_MS, work));
  declared.set(declaration, agent);
  return agent;
}

/** Read only when it changed: an edit takes effect at once and costs nothing otherwise. */
function cachedConfig({ root, config: path }: Layout): () => Promise<Config> {
  let last: { stamp: string | undefined; text: string; config: Config } | undefined;
  return async () => {
    const stamp = fileStamp(path);
    if (last !== undefined && stamp !== undefined && stamp === last.stamp) return last.config;
    const text = await readConfigFile(root);
    // The stamp of before the reading: an edit meanwhile is read again.
    last = { stamp, text, config: last?.text === text ? last.config : interpretConfig(text, root) };
    return last.config;
  };
}
