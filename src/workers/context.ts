import type { Agent } from '../agents/agent.ts';
import { declaredAgent } from '../agents/declared/adapter.ts';
import { findAgent } from '../agents/registry.ts';
import { KeyedLocks } from '../base/keyed-locks.ts';
import type { Instant, SystemPorts } from '../base/ports.ts';
import { agentProgram } from '../config/agent-program.ts';
import { type InvalidConfig, keepConfig } from '../config/in-force.ts';
import type { Config } from '../config/schema.ts';
import { type Git, openGit } from '../git/run.ts';
import { makeWalls } from '../sandbox/walls.ts';
import type { Layout } from '../store/layout.ts';
import type { Store } from '../store/store.ts';
import { timeBox } from '../system/time-box.ts';
import { ControlClient } from '../terminal/control-client.ts';
import { Terminal } from '../terminal/terminal.ts';
import type { AgentControl } from './agent-control.ts';
import { NamedWorkers } from './pool/named-workers.ts';
import { recordTampering } from './worktree/tampering.ts';

/** The ports and records that use-cases get. */
export interface WorkContext extends SystemPorts {
  readonly layout: Layout;
  readonly store: Store;
  readonly git: Git;
  readonly terminal: Terminal;
  /** The configuration in force: config.toml, or the last valid one while it is invalid. */
  readonly config: () => Promise<Config>;
  /** The text of the same, for readers that need no checks; empty if there is none. */
  readonly configText: () => Promise<string>;
  /** Why config.toml is not in force; undefined while it is. */
  readonly invalidConfig: () => Promise<InvalidConfig | undefined>;
  /** One lock per worker, and those in `lock-keys.ts`. */
  readonly locks: KeyedLocks;
  /** Workers that a start on its way has named. */
  readonly namedWorkers: NamedWorkers;
  /** Why refreshing a review has failed since it last worked, by worker (`null`: for all). Each reason is recorded once. */
  readonly refreshFailures: Map<string | null, Set<string>>;
  /** Validation commands that are running, by worker. */
  readonly validating: Map<string, { readonly line: string; readonly since: Instant }>;
  /** The landings of accepts that this process has not finished. */
  readonly accepting: Set<string>;
  readonly agents: AgentControl;
  /** Whether a supervisor runs, so that prompts are delivered. */
  readonly supervised: boolean;
  /** One line of progress for the person waiting. */
  readonly say: (line: string) => void;
  /** Ends with the command that is being answered. */
  readonly signal: AbortSignal;
  /** Ends with the process: for work that goes on when the person who asked is gone. */
  readonly lasting: AbortSignal;
}

interface ContextOptions extends Pick<WorkContext, 'supervised' | 'say' | 'signal'> {
  readonly agents: (context: WorkContext) => AgentControl;
  /** Ends every git call that only reads, such as one that waits for a pipe of an agent. */
  readonly stopReading?: AbortSignal;
  /** Whether one control client of tmux may serve every pass. */
  readonly lastingClient?: boolean;
}

export function openContext(
  store: Store,
  ports: SystemPorts,
  { agents, lastingClient, stopReading, ...options }: ContextOptions,
): WorkContext {
  const { layout } = store;
  const control = lastingClient === true ? new ControlClient(layout.tmuxSocket, ports.startLineProcess, ports.clock) : undefined;
  const inForce = keepConfig(layout.root, ports.files, () => ports.clock.now());
  let agentControl: AgentControl | undefined;
  const context: WorkContext = {
    ...ports,
    ...options,
    lasting: options.signal,
    layout,
    store,
    git: openGit(ports.processes, {
      walls: makeWalls(layout, ports.files.exists),
      stopReading,
      guard: {
        root: layout.root,
        source: async () => (await context.config()).repo.source,
        onTampering: (tampering) => recordTampering(store, options.say, tampering),
      },
    }),
    terminal: new Terminal(layout.tmuxSocket, ports.processes, { control, deaths: layout.deaths, ports }),
    config: async () => (await inForce()).config,
    configText: async () => (await inForce().catch(() => undefined))?.text ?? '',
    invalidConfig: async () => (await inForce()).invalid,
    locks: new KeyedLocks(),
    namedWorkers: new NamedWorkers(),
    refreshFailures: new Map(),
    validating: new Map(),
    accepting: new Set(),
    // Made on first use: it needs the context that it is part of.
    get agents() {
      agentControl ??= agents(context);
      return agentControl;
    },
  };
  return context;
}

/** Patterns run about ten times a second and take microseconds per line. The limit allows for a busy machine. */
const PATTERNS_LIMIT_MS = 1_000;
const declared = new WeakMap<object, Agent>();

/** Returns the agent's adapter. A declared agent is built once per read of config.toml. */
export function loadAgent(config: Config, name: string): Agent {
  const { adapter, declaration } = agentProgram(config, name);
  if (declaration === undefined) return findAgent(adapter);
  const agent = declared.get(declaration) ?? declaredAgent(adapter, declaration, (work) => timeBox(PATTERNS_LIMIT_MS, work));
  declared.set(declaration, agent);
  return agent;
}
