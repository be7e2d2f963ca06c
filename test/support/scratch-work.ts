import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Clock, Processes } from '../../src/base/ports.ts';
import { makeLayout } from '../../src/store/layout.ts';
import type { Worker } from '../../src/store/state.ts';
import { writeStateFile } from '../../src/store/state-file.ts';
import { Store } from '../../src/store/store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { systemPorts } from '../../src/system/ports.ts';
import type { AgentControl } from '../../src/workers/agent-control.ts';
import type { WorkContext } from '../../src/workers/context.ts';
import { openContext } from '../../src/workers/context.ts';
import { aState, aWorker } from '../../src/workers/samples.ts';
import { type ScratchOptions, type ScratchRepo, scratchRepo, scratchRoot } from './scratch-repo.ts';

export interface ScratchWork extends AsyncDisposable {
  readonly repo: ScratchRepo;
  readonly context: WorkContext;
  /** The worktree of adam. */
  readonly worktree: string;
  /** The progress messages for the person who waits. */
  readonly said: readonly string[];
}

export interface ScratchWorkOptions {
  /** Lines of the table [repo] beside the source. */
  readonly repo?: string;
  readonly worker?: Partial<Worker>;
  /** The source. */
  readonly scratch?: ScratchOptions;
  /** Runs before the root is made from the source. */
  readonly prepare?: (repo: ScratchRepo) => Promise<void>;
  readonly context?: Partial<WorkContext>;
  readonly agents?: Partial<AgentControl>;
  /** Called with the words of each command that is run. */
  readonly onCommand?: (words: string) => void;
}

const BEGAN = Date.now();
const NOON = new Date(2026, 10, 15, 12).getTime();
/** A clock for counts per day: no day ends in the middle of a test. */
export const noonClock: Clock = { ...systemClock, now: () => NOON + Date.now() - BEGAN };

const NO_AGENTS: AgentControl = {
  restart: async () => undefined,
  resumeConversation: async () => true,
  progressAt: () => undefined,
  interrupt: async () => undefined,
  keepWorktree: async () => undefined,
  continuesByItself: () => false,
  whyNotAlone: async () => undefined,
  answer: async () => false,
};

/** A root with one worker named adam and real git, for the use-cases, without a supervisor or a terminal. */
export async function scratchWork(options: ScratchWorkOptions = {}): Promise<ScratchWork> {
  const repo = await scratchRepo(options.scratch);
  try {
    await options.prepare?.(repo);
    const { root, base, worktree } = await scratchRoot(repo);
    const layout = makeLayout(root);
    const at = await worktree('adam');
    for (const folder of [layout.run, layout.logs]) mkdirSync(folder, { recursive: true });
    writeFileSync(
      layout.config,
      `[repo]\nsource = "${repo.path}"\nbranch = "main"\n${options.repo ?? ''}\n[workers.adam]\nagent = "demo"\n`,
    );
    writeStateFile(layout, aState(aWorker({ worktree_path: at, base_commit: base, ...options.worker })));
    const store = new Store(layout, systemClock);
    const said: string[] = [];
    const run: Processes['run'] = (command, how) => {
      options.onCommand?.([command.file, ...command.args].join(' '));
      return repo.processes.run(command, how);
    };
    const ports = { ...systemPorts, processes: { ...repo.processes, run } };
    const context = openContext(store, ports, {
      supervised: false,
      say: (line) => said.push(line),
      signal: new AbortController().signal,
      agents: () => ({ ...NO_AGENTS, ...options.agents }),
    });
    return {
      repo,
      context: { ...context, ...options.context },
      worktree: at,
      said,
      async [Symbol.asyncDispose]() {
        // A restart of an agent has begun a server of its own.
        if (existsSync(layout.tmuxSocket)) await repo.processes.run({ file: 'tmux', args: ['-S', layout.tmuxSocket, 'kill-server'] });
        store[Symbol.dispose]();
        await repo[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await repo[Symbol.asyncDispose]();
    throw error;
  }
}
