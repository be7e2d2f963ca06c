import { pastTime } from '../base/clock-time.ts';
import type { Instant } from '../base/ports.ts';

/**
 * A pass waits for tmux and git, each with a limit of its own: 10 s are long, also on a machine under load. A supervisor without a pass
 * for this long has stopped working.
 */
export const STALLED_AFTER_MS = 120_000;

/** Since when a running supervisor has done nothing; undefined while it works. A clock that was set back proves nothing. */
export function stalledSince(lastPassAt: Instant | undefined, now: Instant): Instant | undefined {
  return lastPassAt !== undefined && now - lastPassAt >= STALLED_AFTER_MS ? lastPassAt : undefined;
}

/** What to type when the supervisor runs and does nothing. */
export const STALL_HINT = 'llmc up --replace --detach puts a new one in its place, and the agents keep running';

export function stallText(since: Instant, now: Instant): string {
  return `the supervisor has done nothing since ${pastTime(since, now)}`;
}
