import { join } from 'node:path';
import { systemClock } from '../src/system/clock.ts';
import { systemFiles } from '../src/system/files/system-files.ts';
import { treeFiles } from '../src/system/files/tree-files.ts';
import { Engine } from '../src/workflow/engine/engine.ts';
import { POLICY } from '../src/workflow/next/samples.ts';
import { Artifacts } from '../src/workflow/perform/artifacts.ts';
import { Exchange } from '../src/workflow/perform/exchange.ts';
import type { RunGit } from '../src/workflow/perform/run-git.ts';
import { FakeWorkers } from '../src/workflow/perform/samples.ts';
import { type Comparison, timed, timedAsync } from './compare.ts';
import { beginRun, makeRunWorld, planWith, type RunWorld } from './run-world.ts';

const RUNS = 50;
const STAGES = 20;
const MOST_QUIET = 20;

/** Measures many runs at once with agents that need no time. The yardstick is a bare journal of the same events, one durable row each. */
export async function runThroughput(): Promise<Comparison> {
  using world = makeRunWorld();
  const plan = planWith(STAGES);
  for (let index = 1; index <= RUNS; index += 1) await beginRun(world.runs, `parts-${index}`, plan);
  const engine = instantEngine(world);
  const decided = world.database.prepare('SELECT event_json FROM run_events WHERE consumed = 1 AND seq > ? ORDER BY seq');
  let [ours, theirs, events, quiet] = [0, 0, 0, 0];
  // In turns, so that both have the same share of a busy disk.
  while (await hasMore(world)) {
    ours += await timedAsync(async () => {
      await engine.pass(new AbortController().signal);
      await engine.settled();
    });
    const rows = decided.all(events);
    // A pass may perform only what nothing follows from, such as the rest of a worker.
    quiet = rows.length === 0 ? quiet + 1 : 0;
    if (quiet > MOST_QUIET) throw new Error('a run does not go on');
    theirs += timed(() => {
      for (const { event_json: event } of rows) world.insert(String(event));
    });
    events += rows.length;
  }
  return {
    name: `${RUNS} runs of ${STAGES} stages with instant agents`,
    yardstick: `${events} durable SQLite inserts`,
    ours,
    theirs,
    aim: 5,
    note: `${Math.round((RUNS * STAGES * 1_000) / ours)} stages a second`,
  };
}

async function hasMore({ runs }: RunWorld): Promise<boolean> {
  return (await runs.list()).some(({ endedMs }) => endedMs === null);
}

function instantEngine({ folder, runs, queue }: RunWorld): Engine {
  const workers = new InstantWorkers(join(folder, 'worktrees'));
  return new Engine({
    runs,
    queue,
    workers,
    clock: systemClock,
    random: { next: () => 0 },
    lastAlive: undefined,
    exchange: new Exchange(treeFiles),
    artifacts: new Artifacts(systemFiles, (run) => join(folder, 'runs', run)),
    git: INSTANT_GIT,
    policy: () => Promise.resolve({ ...POLICY, maxAgents: RUNS }),
    say: (line) => {
      throw new Error(line);
    },
    fault: () => undefined,
    announce: () => undefined,
  });
}

/** Every agent has made a commit. */
const INSTANT_GIT: RunGit = {
  work: () => Promise.resolve({ head: 'f'.repeat(40), ahead: 1, dirty: false }),
  hasTaskFolder: () => Promise.resolve(false),
  keep: () => Promise.resolve(),
  diff: () => Promise.resolve(''),
};

/** Their agents have finished a task as soon as they have it. */
class InstantWorkers extends FakeWorkers {
  override async give(task: Parameters<FakeWorkers['give']>[0]): Promise<void> {
    await super.give(task);
    for (const kind of ['started', 'finished'] as const) this.report(task.worker, { kind, action: task.id }, systemClock.now());
  }
}
