import { pastTime } from '../base/clock-time.ts';
import type { Instant } from '../base/ports.ts';

/** What to type when the supervisor runs and does nothing. */
export const STALL_HINT = 'llmc up --replace --detach puts a new one in its place, and the agents keep running';

export function stallText(since: Instant, now: Instant): string {
  return `the supervisor has done nothing since ${pastTime(since, now)}`;
}
