import type { Command } from '../base/command.ts';
import type { Finished, Processes, ProcessOutcome } from '../base/ports.ts';
import { parseConfig } from '../config/parse.ts';
import { emptyState, newWorker, type Worker } from '../store/state.ts';
import type { DoctorContext } from './check.ts';

type Answer = { readonly outcome?: ProcessOutcome; readonly stdout?: string; readonly stderr?: string };

/** Fake programs: a table from a command line to its answer. Other programs are not installed. */
export function programs(answers: Readonly<Record<string, Answer>>): Processes & { readonly calls: Command[] } {
  const calls: Command[] = [];
  return {
    calls,
    async run(command): Promise<Finished> {
      calls.push(command);
      const words = [command.file, ...command.args.filter((word, index) => word !== '-C' && command.args[index - 1] !== '-C')].join(' ');
      const answer = answers[words] ?? { outcome: { kind: 'not-started', reason: 'ENOENT', missing: true } };
      return { command, outcome: { kind: 'exited', status: 0 }, stdout: '', stderr: '', truncated: false, ...answer };
    },
  };
}

/** A healthy machine with an empty root, except for the changes of the test. */
export function machine(
  changes: Partial<Omit<DoctorContext, 'config'>> & { readonly config?: string; readonly workers?: readonly Worker[] } = {},
): DoctorContext {
  const { config: configText = '', workers = [], ...rest } = changes;
  const readConfig = async () => parseConfig(`[repo]\nsource = "/src"\n${configText}`, '/root/config.toml');
  return {
    root: '/root',
    processes: programs({}),
    clock: { now: () => 0, sleep: () => new Promise(() => undefined) },
    nodeVersion: '24.15.0',
    home: '/home/u',
    tmuxSocket: '/root/run/tmux.sock',
    defaultCommand: (adapter) => ({ claude: 'claude', demo: '' })[adapter],
    adapterOf: () => undefined,
    env: {},
    readText: () => undefined,
    recordedVersions: (adapter) => ({ claude: ['2.1.325', '2.0.10'] })[adapter],
    canaryOf: () => undefined,
    wrongPatterns: () => [],
    config: rest.loadConfig ?? readConfig,
    loadConfig: readConfig,
    workflows: async () => ({ files: [], unread: undefined }),
    readState: () => ({
      kind: 'ok',
      state: { ...emptyState(), workers: Object.fromEntries(workers.map((worker) => [worker.name, worker])) },
    }),
    stateSource: () => ({ name: 'llmc.db', path: '/root/llmc.db', workers: [] }),
    resolving: () => new Set(),
    knownRuns: () => new Set(),
    isSupervised: async () => true,
    silence: async () => undefined,
    lastHeartbeat: () => undefined,
    readDatabase: () => ({ kind: 'ok' }),
    databaseCopy: () => undefined,
    misplaced: () => [],
    isWritable: () => true,
    ownPaths: () => ['/root', '/root/llmc.db'],
    accessTo: () => 'private',
    exists: async () => true,
    readNumber: () => undefined,
    freeBytes: async () => 50_000_000_000,
    ...rest,
  };
}

export function worker(name: string, changes: Partial<Worker> = {}): Worker {
  const fresh = newWorker({
    name,
    worktree_path: `/root/.worktrees/${name}`,
    branch: `llmc/${name}`,
    agent: 'demo',
    created_at_unix: 0,
  });
  return { ...fresh, status: 'idle', status_before_offline: null, incarnation: 1, ...changes };
}
