import type { Instant } from '../base/ports.ts';

/** A worker's crashes, under their names in `state.json`. */
export interface Crashes {
  readonly crash_count: number;
  readonly last_crash_unix: number | null;
}

/** An agent that ran for a day has recovered from its earlier crashes. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** The number of the agent's crashes in a row: since its last finished task, and with less than a day between them. */
export function crashesInARow({ crash_count, last_crash_unix }: Crashes, now: Instant): number {
  return last_crash_unix !== null && now - last_crash_unix * 1_000 >= FORGOTTEN_AFTER_MS ? 0 : crash_count;
}

/** The fields of a worker after one more crash. */
export function oneMoreCrash(crashes: Crashes, now: Instant): Crashes {
  return { crash_count: crashesInARow(crashes, now) + 1, last_crash_unix: Math.floor(now / 1_000) };
}
