import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConversation } from '../../src/agents/demo/tui/conversation.ts';
import type { FaultPoint } from '../../src/base/fault.ts';
import { type Layout, makeLayout } from '../../src/store/layout.ts';
import type { State, Worker } from '../../src/store/state.ts';
import type { Status } from '../../src/store/statuses.ts';
import { trySignal } from '../../src/system/processes/signal.ts';
import { processesWith } from '../package/processes-with.ts';
import { keepAccount } from '../support/accounts.ts';
import { answered } from '../support/answered.ts';
import { madeOnce } from '../support/made-once.ts';
import { type ScratchRepo, scratchRepo } from '../support/scratch-repo.ts';
import { until } from '../support/scratch-tmux.ts';
import { type Ended, listens, runLlmc } from './run.ts';

const PATIENCE_MS = 120_000;

/** A fault point, optionally with the number of the passage that kills. */
/** Who decides is not the question here, and a command that is killed must be a child of the test itself. */
const DECIDING = 'allow_agents_to_decide = true\n';

export type Fault = FaultPoint | `${FaultPoint}@${number}`;

type Row = Readonly<Record<string, unknown>>;

/** After this many changes of the history, and a pause. */
interface Moment {
  readonly changes: number;
  readonly pauseMs: number;
}

/** A root with demo workers in a real tmux, whose llmc processes can be made to die at a fault point. */
export interface CrashWorld extends AsyncDisposable {
  readonly repo: ScratchRepo;
  readonly layout: Layout;
  /** Runs a command to its end. */
  llmc(args: readonly string[], fault?: Fault): Promise<Ended>;
  /** Runs a command that must succeed. */
  must(args: readonly string[]): Promise<void>;
  /** Starts the supervisor, with or without a fault; returns also when it dies on the way up. */
  up(fault?: Fault): Promise<Ended>;
  supervisorIsGone(): Promise<void>;
  /** How many entries the history has. */
  changes(): number;
  /** Kills the supervisor after this many changes and the pause, or as soon as `isOver` holds. */
  killSupervisorAt(moment: Moment, isOver: () => boolean): Promise<void>;
  /** Kills all processes of a worker's agent after the pause. Returns whether there were any. */
  killAgentAfter(name: string, pauseMs: number): Promise<boolean>;
  /** Ends every process of the root at this moment, as a power cut does: supervisor, commands, tmux server and agents. */
  cutPowerAt(moment: Moment, isOver: () => boolean): Promise<void>;
  state(): State;
  worker(name: string): Worker;
  reaches(name: string, status: Status): Promise<void>;
  /** Waits until another commit than this one waits for review. */
  commitChanges(name: string, before: string | null): Promise<void>;
  /** Reads the database beside its owner. */
  rows(sql: string, ...values: readonly string[]): readonly Row[];
  /** Every prompt that the worker's agent began to work on, in all its conversations, from the agent's own record. */
  promptsTaken(name: string): readonly string[];
}

/** Pass the test's own `signal`: a test that times out does not reach the end of its block. */
export async function crashWorld(workers: readonly string[], signal: AbortSignal): Promise<CrashWorld> {
  const repo = await scratchRepo();
  const layout = makeLayout(join(repo.dir, 'root'));
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: repo.home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    LLMC_ROOT: layout.root,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const endAll = () => {
    killEverything(layout.root);
    rmSync(repo.dir, { recursive: true, force: true, maxRetries: 5 });
  };
  const account = keepAccount(layout.root);
  process.once('exit', endAll);
  signal.addEventListener('abort', endAll);

  const waitFor = (name: string, what: string, holds: (worker: Worker) => boolean): Promise<void> =>
    until(`${name} ${what}`, async () => holds(world.worker(name)), PATIENCE_MS).catch((cause: unknown) => {
      throw new Error(`${String(cause)}; it is ${world.worker(name).status}`, { cause });
    });
  const reached = async ({ changes, pauseMs }: Moment, isOver: () => boolean) => {
    await until(`change ${changes}`, async () => world.changes() >= changes || isOver(), PATIENCE_MS);
    await sleep(pauseMs);
  };
  const world: CrashWorld = {
    repo,
    layout,
    llmc: (args, fault) => runLlmc(answered(args), { ...env, ...(fault !== undefined && { LLMC_FAULT: fault }) }),
    async must(args) {
      const ended = await world.llmc(args);
      if (ended.status !== 0) throw new Error(`llmc ${args.join(' ')} ended with ${JSON.stringify(ended)}`);
    },
    up: (fault) => world.llmc(['up', '--detach'], fault),
    supervisorIsGone: () => until('the supervisor to die', async () => !(await listens(layout.apiSocket)), PATIENCE_MS),
    changes: () => Number(world.rows('SELECT count(*) AS count FROM history')[0]?.count),
    async killSupervisorAt(moment, isOver) {
      await reached(moment, isOver);
      killSupervisor(layout);
      await world.supervisorIsGone();
    },
    async killAgentAfter(name, pauseMs) {
      await sleep(pauseMs);
      const ofTheRoot = pidsOf(layout.root);
      const pids = processesWith(`LLMC_WORKER=${name}`).map((line) => Number.parseInt(line, 10));
      const own = pids.filter((pid) => ofTheRoot.includes(pid));
      for (const pid of own) trySignal(pid, 'SIGKILL');
      return own.length > 0;
    },
    async cutPowerAt(moment, isOver) {
      await reached(moment, isOver);
      await until('everything to end', async () => killEverything(layout.root));
    },
    state: () => JSON.parse(readFileSync(layout.state, 'utf8')),
    worker(name) {
      const found = world.state().workers[name];
      if (found === undefined) throw new Error(`no worker ${name} in ${layout.state}`);
      return found;
    },
    reaches: (name, status) => waitFor(name, `to be ${status}`, (worker) => worker.status === status),
    commitChanges: (name, before) =>
      waitFor(name, 'to have another commit', (worker) => worker.status === 'needs_review' && worker.commit_sha !== before),
    rows(sql, ...values) {
      const database = new DatabaseSync(layout.database, { readOnly: true, timeout: 60_000 });
      try {
        return database.prepare(sql).all(...values);
      } finally {
        database.close();
      }
    },
    promptsTaken: (name) =>
      globSync(join(layout.scratch(name), 'conversations', '*.jsonl'))
        .flatMap((file) => readConversation(file) ?? [])
        .flatMap((fact) => (fact.type === 'turn' ? [fact.prompt] : [])),
    async [Symbol.asyncDispose]() {
      account[Symbol.dispose]();
      process.off('exit', endAll);
      signal.removeEventListener('abort', endAll);
      // Wait until every process is gone: one that is just ending may still write a file.
      await until('everything to end', async () => killEverything(layout.root));
      await rm(repo.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
  try {
    const kind = `root of ${await repo.run(['rev-parse', 'main'])} with ${workers.join(' and ')}`;
    await madeOnce(kind, layout.root, repo.dir, () => makeRoot(world, workers));
    // git takes the copied files for changed ones until it has compared them.
    for (const name of workers) await repo.run(['update-index', '-q', '--refresh'], world.worker(name).worktree_path);
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

async function makeRoot({ repo, layout, must }: CrashWorld, workers: readonly string[]): Promise<void> {
  await must(['init', '--source', repo.path, '--agent', 'demo']);
  // A round of the patrol would add a change on a slow machine only.
  const config = readFileSync(layout.config, 'utf8');
  writeFileSync(
    layout.config,
    config.replace('[defaults]\n', (heading) => `${heading}patrol_interval_secs = 3600\n${DECIDING}`),
  );
  for (const name of workers) await must(['add', name]);
}

/** Every process of a root has its path in the environment: commands, supervisor, tmux server and agents. */
function pidsOf(root: string): readonly number[] {
  return processesWith(`LLMC_ROOT=${root}`).map((line) => Number.parseInt(line, 10));
}

/** Finds the supervisor by its owner file. Process ids are reused, so the process must also belong to this root. */
function killSupervisor(layout: Layout): void {
  if (!existsSync(layout.owner)) return;
  const { pid }: { pid: number } = JSON.parse(readFileSync(layout.owner, 'utf8'));
  if (pidsOf(layout.root).includes(pid)) trySignal(pid, 'SIGKILL');
}

/** Returns whether no process is left. */
function killEverything(root: string): boolean {
  // Repeat: a process that was just dying may have started another one.
  for (let round = 0; round < 5; round += 1) {
    const pids = pidsOf(root);
    if (pids.length === 0) return true;
    for (const pid of pids) trySignal(pid, 'SIGKILL');
  }
  return false;
}
