import { expect, test } from 'vitest';
import { clockTime, pastTime } from './clock-time.ts';

const at = (day: number, hour: number, minute: number, second = 0) => new Date(2026, 10, day, hour, minute, second).getTime();

test.each([
  ['today', at(15, 14, 5), '14:05'],
  ['early in the day', at(15, 4, 7), '04:07'],
  ['within a minute, rounded up', at(15, 14, 5, 1), '14:06'],
  ['tomorrow', at(16, 3, 0), 'Nov 16, 03:00'],
  ['at midnight', at(15, 23, 59, 30), 'Nov 16, 00:00'],
])('%s', (_, time, shown) => {
  expect(clockTime(time, at(15, 13, 0))).toBe(shown);
});

test.each([
  ['in some seconds', at(15, 14, 5, 12), '14:05:12'],
  ['in a part of a second, rounded up', at(15, 14, 5, 12) - 300, '14:05:12'],
  ['now', at(15, 14, 5, 8), '14:05:08'],
  ['in a minute', at(15, 14, 6, 8), '14:07'],
])('a time less than a minute away has its seconds: %s', (_, time, shown) => {
  expect(clockTime(time, at(15, 14, 5, 8))).toBe(shown);
});

test('a past time stays in the past', () => {
  expect(pastTime(at(15, 14, 5, 59), at(15, 14, 6))).toBe('14:05');
});
