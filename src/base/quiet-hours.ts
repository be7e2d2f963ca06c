import type { Instant } from './ports.ts';

const FORM = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/** `22:00-07:00`, in local time; an end before the beginning is on the next day. */
export function isQuietHours(text: string): boolean {
  return FORM.test(text);
}

/** When the quiet hours end that `now` lies in; undefined outside of them, and for an empty text. */
export function quietUntil(text: string, now: Instant): Instant | undefined {
  const found = FORM.exec(text);
  if (found === null) return undefined;
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = found.slice(1).map(Number);
  // The hours that began yesterday, and those of today.
  for (const day of [-1, 0]) {
    const begin = localTime(now, day, fromHour, fromMinute);
    const sameDay = toHour * 60 + toMinute > fromHour * 60 + fromMinute;
    const end = localTime(now, sameDay ? day : day + 1, toHour, toMinute);
    if (begin <= now && now < end) return end;
  }
  return undefined;
}

/** By the calendar, because a day with a change of the clocks does not have 24 hours. */
function localTime(now: Instant, day: number, hour: number, minute: number): Instant {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + day, hour, minute).getTime();
}
