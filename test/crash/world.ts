import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConversation } from '../../src/agents/demo/tui/conversation.ts';
import type { FaultPoint } from '../../src/base/fault.ts';
import { type Layout, layoutOf } from '../../src/store/layout.ts';
import type { State, Worker } from '../../src/store/state.ts';
import type { Status } from '../../src/store/statuses.ts';
import { trySignal } from '../../src/system/processes/signal.ts';
import { processesWith } from '../package/processes-with.ts';
import { type ScratchRepo, scratchRepo } from '../support/scratch-repo.ts';
import { until } from '../support/scratch-tmux.ts';
import { type Ended, listens, runLlmc } from './run.ts';

const PATIENCE_MS = 120_000;

/** A fault point, or its nth passing. */
export type Fault = FaultPoint | `${FaultPoint}@${number}`;

type Row = Readonly<Record<string, unknown>>;

/** A root with demo workers in a real tmux, whose llmc processes can be made to die at a named place. */
export interface CrashWorld extends AsyncDisposable {
  readonly repo: ScratchRepo;
  readonly layout: Layout;
  /** Runs a command to its end. */
  llmc(args: readonly string[], fault?: Fault): Promise<Ended>;
  /** The same, and it must succeed. */
  must(args: readonly string[]): Promise<void>;
  /** Starts the supervisor, armed or not; one that dies while coming up is an answer too. */
  up(fault?: Fault): Promise<Ended>;
  supervisorIsGone(): Promise<void>;
  /** How many entries the history has. */
  changes(): number;
  /** Kills it once so much has happened, and a pause more; when the story is over first, it is killed then. */
  killSupervisorAt(moment: { readonly changes: number; readonly pauseMs: number }, isOver: () => boolean): Promise<void>;
  state(): State;
  worker(name: string): Worker;
  reaches(name: string, status: Status): Promise<void>;
  /** Until work waits for review in another commit than this one. */
  commitChanges(name: string, before: string | null): Promise<void>;
  /** What a reader beside the owner finds in the database. */
  rows(sql: string, ...values: readonly string[]): readonly Row[];
  /** Every prompt the worker's agent began to work on, in all its conversations, by the agent's own record. */
  promptsTaken(name: string): readonly string[];
}

/** `signal` is the test's own: one that runs out of time does not reach the end of its block. */
export async function crashWorld(workers: readonly string[], signal: AbortSignal): Promise<CrashWorld> {
  const repo = await scratchRepo();
  const layout = layoutOf(join(repo.dir, 'root'));
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: repo.home, LANG: 'C.UTF-8', TERM: 'dumb', LLMC_ROOT: layout.root },
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  };
  const endAll = () => {
    killEverything(layout.root);
    rmSync(repo.dir, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', endAll);
  signal.addEventListener('abort', endAll);

  const waitFor = (name: string, what: string, holds: (worker: Worker) => boolean): Promise<void> =>
    until(`${name} ${what}`, async () => holds(world.worker(name)), PATIENCE_MS).catch((cause: unknown) => {
      throw new Error(`${String(cause)}; it is ${world.worker(name).status}\n${tellStory(world)}`, { cause });
    });
  const world: CrashWorld = {
    repo,
    layout,
    llmc: (args, fault) => runLlmc(args, { ...env, ...(fault !== undefined && { LLMC_FAULT: fault }) }),
    async must(args) {
      const ended = await world.llmc(args);
      if (ended.status !== 0) throw new Error(`llmc ${args.join(' ')} ended with ${JSON.stringify(ended)}\n${tellStory(world)}`);
    },
    up: (fault) => world.llmc(['up', '--detach'], fault),
    supervisorIsGone: () => until('the supervisor to die', async () => !(await listens(layout.apiSocket)), PATIENCE_MS),
    changes: () => Number(world.rows('SELECT count(*) AS count FROM history')[0]?.count),
    async killSupervisorAt({ changes, pauseMs }, isOver) {
      await until(`change ${changes}`, async () => world.changes() >= changes || isOver(), PATIENCE_MS);
      await sleep(pauseMs);
      killSupervisor(layout);
      await world.supervisorIsGone();
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
      process.off('exit', endAll);
      signal.removeEventListener('abort', endAll);
      // Until they are gone, and not only told to go: whoever is just ending may still write a file.
      await until('everything to end', async () => killEverything(layout.root));
      await rm(repo.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
  try {
    await world.must(['init', '--source', repo.path, '--agent', 'demo']);
    // On a slow machine a round of the patrol would be one change more, or not.
    const config = readFileSync(layout.config, 'utf8');
    writeFileSync(
      layout.config,
      config.replace('[defaults]\n', (heading) => `${heading}patrol_interval_secs = 3600\n`),
    );
    for (const name of workers) await world.must(['add', name]);
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

/** Everything that runs for a root carries its name: commands, supervisor, tmux server and agents. */
function pidsOf(root: string): readonly number[] {
  return processesWith(`LLMC_ROOT=${root}`).map((line) => Number.parseInt(line, 10));
}

/** By the note it leaves about itself; process ids come round again, so it must also be one of ours. */
function killSupervisor(layout: Layout): void {
  if (!existsSync(layout.owner)) return;
  const { pid }: { pid: number } = JSON.parse(readFileSync(layout.owner, 'utf8'));
  if (pidsOf(layout.root).includes(pid)) trySignal(pid, 'SIGKILL');
}

/** True when nothing runs any more. */
function killEverything(root: string): boolean {
  // Once more after the first: one that was just dying may have started another.
  for (let round = 0; round < 5; round += 1) {
    const pids = pidsOf(root);
    if (pids.length === 0) return true;
    for (const pid of pids) trySignal(pid, 'SIGKILL');
  }
  return false;
}

/** For the message of a failure: the end of the story as the database tells it. */
function tellStory(world: CrashWorld): string {
  const history = world.rows('SELECT worker, kind, summary FROM history ORDER BY seq DESC LIMIT 30').toReversed();
  const deliveries = world.rows('SELECT worker, purpose, state, reason, attempt FROM deliveries ORDER BY seq');
  return [...history, ...deliveries].map((row) => JSON.stringify(row)).join('\n');
}
