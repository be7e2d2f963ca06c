import { systemClock } from '../clock.ts';
import { trySignal } from './signal.ts';

const LOOK_EVERY_MS = 20;

/**
 * Waits until these processes have ended, and ends them with their groups when they take longer than `graceMs`.
 * `collect` is asked on the way: a process whose parent has not taken note of its end still counts as there.
 */
export async function waitThenKill(pids: readonly number[], graceMs: number, collect: () => Promise<unknown>): Promise<void> {
  if (await haveEnded(pids, graceMs, collect)) return;
  for (const pid of pids) if (!trySignal(-pid, 'SIGKILL')) trySignal(pid, 'SIGKILL');
  await haveEnded(pids, graceMs, collect);
}

async function haveEnded(pids: readonly number[], withinMs: number, collect: () => Promise<unknown>): Promise<boolean> {
  const deadline = systemClock.now() + withinMs;
  while (pids.some((pid) => trySignal(pid, 0))) {
    if (systemClock.now() > deadline) return false;
    await systemClock.sleep(LOOK_EVERY_MS);
    await collect();
  }
  return true;
}
