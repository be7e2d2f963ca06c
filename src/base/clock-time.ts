import type { Instant } from './ports.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/**
 * `14:05`, or `Nov 17, 14:05` on another day: local time, rounded up to the next full minute so that the shown time is never too early.
 * `14:05:12` if it is less than a minute away: the full minute would be much later than that.
 */
export function clockTime(at: Instant, now: Instant): string {
  if (Math.abs(at - now) < MINUTE_MS) {
    const shown = new Date(Math.ceil(at / SECOND_MS) * SECOND_MS);
    return `${shortTime(shown, now)}:${two(shown.getSeconds())}`;
  }
  return shortTime(new Date(Math.ceil(at / MINUTE_MS) * MINUTE_MS), now);
}

/** The same for a moment that is over. */
export function pastTime(at: Instant, now: Instant): string {
  return shortTime(new Date(at), now);
}

function shortTime(shown: Date, now: Instant): string {
  const time = `${two(shown.getHours())}:${two(shown.getMinutes())}`;
  if (shown.toDateString() === new Date(now).toDateString()) return time;
  return `${shown.toLocaleString('en-US', { month: 'short' })} ${shown.getDate()}, ${time}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
