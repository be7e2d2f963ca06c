import type { Instant } from './ports.ts';

const MINUTE_MS = 60_000;

/** `14:05`, or `Nov 17, 14:05` on another day: local time, rounded up to the next full minute so that the shown time is never too early. */
export function clockTime(at: Instant, now: Instant): string {
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
