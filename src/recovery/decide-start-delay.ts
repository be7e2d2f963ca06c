import type { Instant } from '../base/ports.ts';

/** Starts that lie further back do not count: the supervisor has worked since. */
const COUNTED_MS = 30 * 60_000;
const FREE_STARTS = 2;
const DELAYS_MS = [5_000, 15_000, 30_000, 60_000, 120_000, 300_000] as const;

/** How long a service waits before it starts the supervisor again, from the earlier starts of the service. */
export function startDelayMs(earlier: readonly Instant[], now: Instant): number {
  const recent = earlier.filter((at) => at <= now && now - at < COUNTED_MS).length;
  if (recent <= FREE_STARTS) return 0;
  return DELAYS_MS[Math.min(recent - FREE_STARTS, DELAYS_MS.length) - 1] ?? 0;
}
