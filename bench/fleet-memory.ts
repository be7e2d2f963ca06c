import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SMALL_YOUNG_GENERATION } from '../src/system/processes/young-generation.ts';
import type { Comparison } from './compare.ts';
import { makeFleet } from './fleet-world.ts';
import type { MemoryReport } from './supervise-fast.ts';

const WORKERS = 10;
const EARLY = 1_000;
const LATE = 10_000;

/** Compares the supervisor's memory after ten thousand passes with its memory after the first thousand. */
export async function fleetMemory(): Promise<readonly Comparison[]> {
  using world = await makeFleet(WORKERS, WORKERS / 2);
  // Another supervisor takes over the running agents: it makes passes without a pause and reports its own heap.
  process.kill(world.supervisor, 'SIGKILL');
  const script = fileURLToPath(import.meta.resolve('./supervise-fast.ts'));
  const args = ['--expose-gc', SMALL_YOUNG_GENERATION, script, world.root, `${EARLY}`, `${LATE}`];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: world.env });
  const { early, late, processesPerPass }: MemoryReport = JSON.parse(stdout);
  const common = { yardstick: `after ${EARLY} passes`, note: 'after a garbage collection', show: mb };
  return [
    {
      ...common,
      name: `heap after ${LATE} passes over ${WORKERS} agents (${processesPerPass.toFixed(2)} processes per pass)`,
      ours: late.heapUsed,
      theirs: early.heapUsed,
      aim: 1.05,
    },
    { ...common, name: 'resident memory at the same time', ours: late.rss, theirs: early.rss, aim: 1.1 },
  ];
}

function mb(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
