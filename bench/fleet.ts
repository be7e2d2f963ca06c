import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Comparison } from './compare.ts';
import { type Fleet, makeFleet } from './fleet-world.ts';
import { processorTimeMs } from './processor-time.ts';

const WORKERS = 100;
const MEASURED_MS = 60_000;
/** Time for the supervisor to finish the work that follows the start of a hundred agents. */
const SETTLING_MS = 10_000;

/** Measures the cost of watching a hundred agents, half of them at work. The yardstick is one `tmux capture-pane` per pane and second. */
export async function fleet(): Promise<Comparison> {
  using world = await makeFleet(WORKERS, WORKERS / 2);
  await sleep(SETTLING_MS);
  const [supervisor = 0, server = 0] = await spent([world.supervisor, world.server]);
  using poller = startPoller(world);
  await sleep(2_000);
  const before = poller.rounds();
  const [naive = 0, serverOfBoth = 0] = await spent([poller.pid, world.server]);
  // A busy machine delays the poller's rounds.
  const perMinute = (naive * 60) / (poller.rounds() - before);
  const beside = `tmux itself ${seconds(server)}, and ${seconds(serverOfBoth - server)} more under the poller`;
  return {
    name: `watching ${WORKERS} agents, half of them at work, processor time per minute (${beside})`,
    ours: supervisor,
    yardstick: 'a capture-pane per pane and second',
    theirs: perMinute,
    aim: 0.1,
    note: 'one minute each',
  };
}

/** The processor time that these processes use during the measurement. */
async function spent(pids: readonly number[]): Promise<readonly number[]> {
  const before = pids.map(processorTimeMs);
  await sleep(MEASURED_MS);
  return pids.map((pid, index) => processorTimeMs(pid) - (before[index] ?? 0));
}

function startPoller({ layout, names }: Fleet) {
  const script = fileURLToPath(import.meta.resolve('./naive-poller.ts'));
  const child = spawn(process.execPath, [script, layout.tmuxSocket, ...names.map((name) => `llmc-${name}`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let rounds = 0;
  child.stdout.on('data', (text: Buffer) => {
    rounds += text.toString().split('\n').length - 1;
  });
  return { pid: child.pid ?? 0, rounds: () => rounds, [Symbol.dispose]: () => child.kill() };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
