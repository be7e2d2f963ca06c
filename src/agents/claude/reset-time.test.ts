import { describe, expect, test } from 'vitest';
import { parseResetTime } from './reset-time.ts';

const at = (iso: string) => Date.parse(iso);

describe('the end of a usage limit', () => {
  test.each([
    ['6:02am (UTC)', '2026-11-15T03:03:00Z', '2026-11-15T06:02:00Z'],
    ['12:10am (UTC)', '2026-11-15T22:00:00Z', '2026-11-16T00:10:00Z'],
    ['12pm (UTC)', '2026-11-15T11:00:00Z', '2026-11-15T12:00:00Z'],
    ['5:54am (Europe/Berlin)', '2026-11-15T03:24:00Z', '2026-11-15T04:54:00Z'],
    ['3pm (America/New_York)', '2026-07-01T18:00:00Z', '2026-07-01T19:00:00Z'],
    ['Nov 18, 12:24pm (Europe/Berlin)', '2026-11-15T03:24:00Z', '2026-11-18T11:24:00Z'],
    ['Jan 2, 9am (UTC)', '2026-12-30T00:00:00Z', '2027-01-02T09:00:00Z'],
  ])('%s, read at %s', (text, now, expected) => {
    expect(new Date(parseResetTime(text, at(now)) ?? 0).toISOString()).toBe(new Date(expected).toISOString());
  });

  test('a time that has passed does not count as tomorrow’s', () => {
    expect(parseResetTime('6:02am (UTC)', at('2026-11-15T06:03:00Z'))).toBe(at('2026-11-15T06:02:00Z'));
    expect(parseResetTime('6:02am (UTC)', at('2026-11-15T20:00:00Z'))).toBe(at('2026-11-15T06:02:00Z'));
  });

  test('the change to winter time counts', () => {
    expect(parseResetTime('Oct 25, 5am (Europe/Berlin)', at('2026-10-24T12:00:00Z'))).toBe(at('2026-10-25T04:00:00Z'));
  });

  test('a time without a zone is local', () => {
    const now = new Date(2026, 10, 15, 3, 0).getTime();
    expect(parseResetTime('4:18am', now)).toBe(new Date(2026, 10, 15, 4, 18).getTime());
  });

  test.each(['soon', '', '6:02am (Mars/Olympus)'])('%j gives no time', (text) => {
    expect(parseResetTime(text, at('2026-11-15T03:03:00Z'))).toBeUndefined();
  });
});
