import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Comparison, median } from './compare.ts';
import { threadTimeMs } from './processor-time.ts';
import { makeWorld, type World } from './world.ts';

const RUNS = 10;
const WINDOWS = 9;
const WINDOW_MS = 30_000;
/** Time for what follows the start of a supervisor and of runs. */
const SETTLING_MS = 10_000;

/** A command that fails, so that a person is asked: a run that waits and has no agent. */
const WORKFLOW = 'name: asking\nstages:\n  - { id: check, command: "exit 1", on_failure: { unmet: ask } }\n';

/** Measures a supervisor while ten runs wait for a person. The yardstick is one without runs, at the same time. */
export async function runWaiting(): Promise<Comparison> {
  using waiting = supervised();
  using without = supervised();
  const file = join(waiting.folder, 'asking.yaml');
  writeFileSync(file, WORKFLOW);
  for (let index = 0; index < RUNS; index += 1) waiting.llmc('run', file);
  const asking: readonly { readonly status: string }[] = JSON.parse(waiting.llmc('runs', '--json')).runs;
  if (asking.filter(({ status }) => status === 'waiting').length !== RUNS) throw new Error('not every run waits');
  await sleep(SETTLING_MS);
  const pids = [waiting, without].map(pidOf);
  const windows: number[][] = [];
  for (let window = 0; window < WINDOWS; window += 1) {
    const before = pids.map(threadTimeMs);
    await sleep(WINDOW_MS);
    windows.push(pids.map((pid, index) => threadTimeMs(pid) - (before[index] ?? 0)));
  }
  const [ours, theirs] = [median(windows.map(([first = 0]) => first)), median(windows.map(([, second = 0]) => second))];
  return {
    name: `a supervisor with ${RUNS} waiting runs, processor time in ${WINDOW_MS / 1_000} s`,
    yardstick: 'without runs, at the same time',
    ours,
    theirs,
    aim: 1.1,
    note: `median of ${WINDOWS}`,
  };
}

function supervised(): World {
  const world = makeWorld();
  world.init();
  world.llmc('up', '--detach');
  return world;
}

function pidOf(world: World): number {
  return Number(JSON.parse(world.llmc('status', '--json')).supervisor.pid);
}
