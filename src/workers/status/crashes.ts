import type { Instant } from '../../base/ports.ts';
import type { Worker } from '../../store/state.ts';

/** An agent that ran for a day has got over whatever ended it before. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** How often its agent crashed in a row: since its last finished task, and without a day of peace in between. */
export function crashesInARow(worker: Pick<Worker, 'crash_count' | 'last_crash_unix'>, now: Instant): number {
  const last = worker.last_crash_unix;
  return last !== null && now - last * 1_000 >= FORGOTTEN_AFTER_MS ? 0 : worker.crash_count;
}

/** The fields of a worker after one more. */
export function oneMoreCrash(worker: Worker, now: Instant): Pick<Worker, 'crash_count' | 'last_crash_unix'> {
  return { crash_count: crashesInARow(worker, now) + 1, last_crash_unix: Math.floor(now / 1_000) };
}
