import type { Processes } from '../src/base/ports.ts';
import { makeLayout } from '../src/store/layout.ts';
import { Store } from '../src/store/store.ts';
import { Supervisor } from '../src/supervisor/loop.ts';
import { systemClock } from '../src/system/clock.ts';
import { systemPorts } from '../src/system/ports.ts';
import { systemProcesses } from '../src/system/processes/processes.ts';
import { openContext } from '../src/workers/context.ts';
import { noAgents } from '../src/workers/no-agents.ts';

export interface MemoryReport {
  readonly early: NodeJS.MemoryUsage;
  readonly late: NodeJS.MemoryUsage;
  readonly processesPerPass: number;
}

/** A supervisor that pauses for only a millisecond between passes and prints its memory after given numbers of passes. */
const [root = '', early = '', late = ''] = process.argv.slice(2);
const count = { passes: 0, questions: 0 };
const processes: Processes = {
  run(command, options) {
    count.questions += 1;
    if (command.args.includes('list-panes')) count.passes += 1;
    return systemProcesses.run(command, options);
  },
};
using store = new Store(makeLayout(root), systemClock);
const stop = new AbortController();
const options = {
  supervised: true,
  say: () => undefined,
  signal: stop.signal,
  agents: noAgents,
};
const supervisor = new Supervisor(openContext(store, { ...systemPorts, processes }, options), new Map());
const running = supervisor.run(stop.signal);
const [before, after] = [await passed(Number(early)), await passed(Number(late))];
stop.abort();
await running;
const report: MemoryReport = { early: before, late: after, processesPerPass: count.questions / count.passes };
console.log(JSON.stringify(report));

async function passed(passes: number): Promise<NodeJS.MemoryUsage> {
  while (count.passes < passes) {
    supervisor.wake();
    await systemClock.sleep(1);
  }
  global.gc?.();
  global.gc?.();
  return process.memoryUsage();
}
