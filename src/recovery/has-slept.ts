import type { Instant } from '../base/ports.ts';

/** The loop rests for two seconds at most. On a machine with ten times the load a rest was still below 30 s. */
const GAP_MS = 60_000;

/** How long the loop only observes after a gap: agents on the same machine slept too, and draw and report again within seconds. */
export const SETTLE_MS = 5_000;

/** Whether this process did not run for longer than any rest or pass: the machine was suspended, or a signal had stopped the supervisor. */
export function hasSlept(ranAt: Instant | undefined, now: Instant): boolean {
  return ranAt !== undefined && now - ranAt >= GAP_MS;
}

/** Whether the loop only observes for now. A clock that was set back after the gap must not make that longer. */
export function isSettling(actFrom: Instant, now: Instant): boolean {
  return now < actFrom && actFrom - now <= SETTLE_MS;
}
