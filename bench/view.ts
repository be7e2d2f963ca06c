import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Comparison, compare, median } from './compare.ts';
import { makeFleet } from './fleet-world.ts';
import { processorTimeMs } from './processor-time.ts';
import { onTerminal } from './view-pty.ts';
import { makeWorld, openTimes, program } from './world.ts';

const run = promisify(execFile);
const TURNS = 15;
const WORKERS = 50;
const IDLE_MS = 60_000;
const REPORTED = "SELECT at_ms FROM events WHERE name = 'stop' ORDER BY seq";
const CHANGED = "SELECT at_ms FROM history WHERE kind = 'status' AND summary LIKE '%(committed)%' ORDER BY seq";
const percent = (value: number): string => `${value.toFixed(2)} %`;
const megabytes = (value: number): string => `${value.toFixed(0)} MB`;

/** From the command to the first screen with the workers. The yardstick is `llmc status` on the same terminal. */
export async function viewStart(): Promise<Comparison> {
  using world = makeWorld();
  world.init();
  for (const name of ['adam', 'bea', 'carl']) world.llmc('add', name);
  world.llmc('up', '--detach');
  return await compare({
    name: 'the view, cold start until it shows the workers',
    yardstick: 'llmc status',
    aim: 1.5,
    rounds: 15,
    warmUps: 2,
    async ours() {
      await using view = onTerminal(world, 'ui');
      await view.seen(/carl/);
      return performance.now() - view.startedAt;
    },
    async measureYardstick() {
      await using status = onTerminal(world, 'status');
      await status.seen(/carl/);
      return performance.now() - status.startedAt;
    },
  });
}

/** From the report of an agent that its turn has ended to the line that the view writes. */
export async function viewLatency(): Promise<readonly Comparison[]> {
  using world = makeWorld();
  world.init();
  world.llmc('add', 'adam');
  world.llmc('up', '--detach');
  await using view = onTerminal(world, 'ui');
  await view.seen(/adam/);
  using times = openTimes(world.root);
  // Without blocking this process: it has to note the time of each line.
  const llmc = (...args: readonly string[]) => run(process.execPath, [program, ...args, '--root', world.root], { env: world.env });
  const shown: number[] = [];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    if (turn === 1) await llmc('start', '--prompt', 'A first line', '--wait');
    else {
      await llmc('message', 'adam', `Another line, number ${turn}`);
      await llmc('wait', 'adam', '--for', 'needs_review', '--timeout', '30s');
    }
    shown.push((await view.seen(/to review/, times.of(REPORTED)[turn - 1])).at);
  }
  const since = (moments: readonly number[]) => shown.map((at, turn) => at - (moments[turn] ?? Number.NaN));
  const [all, own] = [since(times.of(REPORTED)), since(times.of(CHANGED))];
  const note = `median of ${TURNS}, most `;
  const theirs = { yardstick: 'what a person does not notice', theirs: 50, aim: 1 };
  return [
    { name: "an agent's report to the changed line of the view", ours: median(all), ...theirs, note: `${note}${Math.max(...all)} ms` },
    { name: 'of this, from the new status on', ours: median(own), ...theirs, note: `${note}${Math.max(...own)} ms` },
  ];
}

/** What an open view and its supervisor cost while nothing happens. */
export async function viewIdle(): Promise<readonly Comparison[]> {
  using world = await makeFleet(WORKERS, 0);
  const share = async (...pids: readonly number[]): Promise<readonly number[]> => {
    const before = pids.map(processorTimeMs);
    await sleep(IDLE_MS);
    return pids.map((pid, index) => ((processorTimeMs(pid) - (before[index] ?? 0)) / IDLE_MS) * 100);
  };
  await sleep(5_000);
  const [alone = Number.NaN] = await share(world.supervisor);
  await using view = onTerminal(world, 'ui');
  await view.seen(/w1\b/);
  await sleep(5_000);
  const [own = Number.NaN, supervisor = Number.NaN] = await share(view.pid, world.supervisor);
  const memory = residentMb(view.pid);
  const note = `${WORKERS} idle workers, ${IDLE_MS / 1_000} s`;
  return [
    { name: 'the view, idle', ours: own, yardstick: 'one percent of a core', theirs: 1, aim: 1, note, show: percent },
    { name: 'the supervisor with a view', ours: supervisor, yardstick: 'without', theirs: alone, aim: 1.5, note, show: percent },
    { name: 'the view, memory', ours: memory, yardstick: 'the limit', theirs: 150, aim: 1, note, show: megabytes },
  ];
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}
