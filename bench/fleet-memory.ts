import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Processes } from '../src/base/ports.ts';
import { Store } from '../src/store/store.ts';
import { Supervisor } from '../src/supervisor/supervisor.ts';
import { systemClock } from '../src/system/clock.ts';
import { systemProcesses } from '../src/system/processes.ts';
import { systemRandom } from '../src/system/random.ts';
import { openContext } from '../src/workers/context.ts';
import type { Comparison } from './compare.ts';
import { makeFleet } from './fleet-world.ts';

const WORKERS = 10;
const EARLY = 1_000;
const LATE = 10_000;

/** What a supervisor holds in memory after ten thousand passes, next to after the first thousand. */
export async function fleetMemory(): Promise<Comparison> {
  using world = await makeFleet(WORKERS, WORKERS / 2);
  // This process takes over the living agents, so that it can be asked about its own heap.
  process.kill(world.supervisor, 'SIGKILL');
  const count = { passes: 0, questions: 0 };
  const processes: Processes = {
    run(command, options) {
      count.questions += 1;
      if (command.args.includes('list-panes')) count.passes += 1;
      return systemProcesses.run(command, options);
    },
  };
  using store = new Store(world.layout, systemClock);
  const stop = new AbortController();
  const nothing = async () => undefined;
  const options = {
    supervised: true,
    say: () => undefined,
    signal: stop.signal,
    restartAgent: nothing,
    interrupt: nothing,
    continuesByItself: () => false,
  };
  const supervisor = new Supervisor(openContext(store, { clock: systemClock, random: systemRandom, processes }, options), () => undefined);
  const running = supervisor.run(stop.signal);
  const passed = async (passes: number) => {
    while (count.passes < passes) {
      supervisor.wake();
      await systemClock.sleep(1);
    }
    return memory();
  };
  const early = await passed(EARLY);
  const late = await passed(LATE);
  stop.abort();
  await running;
  const perPass = (count.questions / count.passes).toFixed(2);
  return {
    name: `heap after ${LATE} passes over ${WORKERS} agents (${perPass} processes per pass; resident ${mb(early.rss)}, then ${mb(late.rss)})`,
    ours: late.heapUsed,
    yardstick: `after ${EARLY} passes`,
    theirs: early.heapUsed,
    aim: 1.05,
    note: 'after a collection of garbage each',
    show: mb,
  };
}

function memory(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
  return process.memoryUsage();
}

function mb(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
