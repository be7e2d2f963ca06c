import type { Instant } from '../../base/ports.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CLOCK = /(\d{1,2})(?::(\d{2}))?\s*([ap]m)/i;
const DATE = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (\d{1,2})\b/i;

/** A time without a date belongs to the five-hour limit, so it is at most five hours ahead; otherwise it has already passed. */
const LONGEST_WAIT_MS = 6 * HOUR_MS;

/**
 * Reads `4:18am (UTC)` or `Nov 17, 3pm (Europe/Berlin)`, the format of Claude Code 2.1.325 for the end of a usage limit.
 * Without a zone it is local time, which the agent shares with llmc. Undefined without a time or with an unknown zone; the caller then uses its default wait.
 */
export function parseResetTime(text: string, now: Instant): Instant | undefined {
  const clock = CLOCK.exec(text);
  if (clock === null) return undefined;
  const zone = /\(([^)]+)\)/.exec(text)?.[1];
  const minutes = (Number(clock[1]) % 12) * 60 + Number(clock[2] ?? 0) + (clock[3]?.toLowerCase() === 'pm' ? 720 : 0);
  const today = wallClock(now, zone);
  if (today === undefined) return undefined;
  const date = DATE.exec(text);
  if (date !== null) return onDate(MONTHS.indexOf((date[1] ?? '').toLowerCase()), Number(date[2]), minutes, now, zone);
  const midnight = Date.UTC(today.year, today.month, today.day);
  const candidates = [-DAY_MS, 0, DAY_MS].map((shift) => fromWallClock(midnight + shift + minutes * 60_000, zone));
  return candidates.findLast((at) => at - now <= LONGEST_WAIT_MS);
}

function onDate(month: number, day: number, minutes: number, now: Instant, zone: string | undefined): Instant | undefined {
  const year = wallClock(now, zone)?.year ?? 0;
  const candidates = [year - 1, year, year + 1].map((one) => fromWallClock(Date.UTC(one, month, day) + minutes * 60_000, zone));
  // Claude Code shows no year, so use the nearest one.
  return candidates.sort((a, b) => Math.abs(a - now) - Math.abs(b - now))[0];
}

function fromWallClock(wallMs: number, zone: string | undefined): Instant {
  const guess = wallMs - offset(wallMs, zone);
  return wallMs - offset(guess, zone);
}

function offset(at: Instant, zone: string | undefined): number {
  const wall = wallClock(at, zone);
  if (wall === undefined) return 0;
  return Date.UTC(wall.year, wall.month, wall.day, wall.hour, wall.minute) - Math.floor(at / 60_000) * 60_000;
}

function wallClock(
  at: Instant,
  zone: string | undefined,
): { year: number; month: number; day: number; hour: number; minute: number } | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      ...(zone !== undefined && { timeZone: zone }),
      hourCycle: 'h23',
      ...({ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const),
    });
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return { year: part('year'), month: part('month') - 1, day: part('day'), hour: part('hour'), minute: part('minute') };
  } catch {
    // Intl throws on an unknown zone.
    return undefined;
  }
}
