import type { Instant } from '../base/ports.ts';

/** A worker's crashes, under the names of `state.json`. */
export interface Crashes {
  readonly crash_count: number;
  readonly last_crash_unix: number | null;
}

/** An agent that ran for a day has recovered from whatever ended it before. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** How often the agent crashed in a row: since its last finished task, and without a day of peace in between. */
export function crashesInARow({ crash_count, last_crash_unix }: Crashes, now: Instant): number {
  return last_crash_unix !== null && now - last_crash_unix * 1_000 >= FORGOTTEN_AFTER_MS ? 0 : crash_count;
}

/** The fields of a worker after one more. */
export function oneMoreCrash(crashes: Crashes, now: Instant): Crashes {
  return { crash_count: crashesInARow(crashes, now) + 1, last_crash_unix: Math.floor(now / 1_000) };
}
