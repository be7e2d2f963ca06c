import type { Clock, Signals } from '../../base/ports.ts';

interface Ports {
  readonly clock: Clock;
  readonly signals: Signals;
}

const POLL_MS = 20;

/**
 * Waits until these processes have ended, and kills them with their groups after `graceMs`.
 * Calls `collect` in between, because a process counts as alive until its parent has collected it.
 */
export async function waitThenKill(ports: Ports, pids: readonly number[], graceMs: number, collect: () => Promise<unknown>): Promise<void> {
  if (await haveEnded(ports, pids, graceMs, collect)) return;
  for (const pid of pids) if (!ports.signals.send(-pid, 'SIGKILL')) ports.signals.send(pid, 'SIGKILL');
  await haveEnded(ports, pids, graceMs, collect);
}

async function haveEnded(
  { clock, signals }: Ports,
  pids: readonly number[],
  withinMs: number,
  collect: () => Promise<unknown>,
): Promise<boolean> {
  const deadline = clock.now() + withinMs;
  while (pids.some((pid) => signals.isAlive(pid))) {
    if (clock.now() > deadline) return false;
    await clock.sleep(POLL_MS);
    await collect();
  }
  return true;
}
