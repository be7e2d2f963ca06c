import { expect, test } from 'vitest';
import { isQuietHours, quietUntil } from './quiet-hours.ts';

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

test.each<[string, number, number | undefined]>([
  ['', at(16, 3), undefined],
  ['22:00-07:00', at(16, 21, 59), undefined],
  ['22:00-07:00', at(16, 22), at(17, 7)],
  ['22:00-07:00', at(16, 23, 59), at(17, 7)],
  ['22:00-07:00', at(17, 0), at(17, 7)],
  ['22:00-07:00', at(17, 6, 59), at(17, 7)],
  ['22:00-07:00', at(17, 7), undefined],
  ['12:00-13:30', at(16, 12, 30), at(16, 13, 30)],
  ['12:00-13:30', at(16, 13, 30), undefined],
  ['12:00-13:30', at(16, 11, 59), undefined],
  ['08:00-08:00', at(16, 3), at(16, 8)],
])('quiet hours %s at %i end at %s', (text, now, expected) => {
  expect(quietUntil(text, now)).toBe(expected);
});

test.each([
  ['22:00-07:00', true],
  ['24:00-07:00', false],
  ['22:60-07:00', false],
  ['10pm-7am', false],
  ['22-7', false],
])('%s are quiet hours: %s', (text, expected) => {
  expect(isQuietHours(text)).toBe(expected);
});
