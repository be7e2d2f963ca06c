import type { Instant } from '../../base/ports.ts';

const DAY_MS = 24 * 3_600_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const CLOCK = /(\d{1,2}):(\d{2}) ([AP])M/;
const DATE = /([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4})/;
/** Read after midnight, a time of the day before would seem to be almost a day ahead. */
const TOO_FAR_MS = 20 * 3_600_000;

/**
 * Reads `7:58 AM` or `Nov 16th, 2026 6:58 AM`, the format of Codex 0.166.0 for the end of a usage limit, in the local time it shares
 * with llmc. Codex omits the date on the day itself.
 */
export function parseResetTime(text: string, now: Instant): Instant | undefined {
  const clock = CLOCK.exec(text);
  if (clock === null) return undefined;
  const hour = (Number(clock[1]) % 12) + (clock[3] === 'P' ? 12 : 0);
  const minute = Number(clock[2]);
  const date = DATE.exec(text);
  if (date !== null) {
    const month = MONTHS.indexOf(date[1] ?? '');
    return month === -1 ? undefined : new Date(Number(date[3]), month, Number(date[2]), hour, minute).getTime();
  }
  const today = new Date(now).setHours(hour, minute, 0, 0);
  return today - now > TOO_FAR_MS ? today - DAY_MS : today;
}
