import { expect, test } from 'vitest';
import { parseResetTime } from './reset-time.ts';

const local = (...at: [number, number, number, number, number]) => new Date(...at).getTime();
const now = local(2026, 10, 15, 5, 58);

test.each<[string, number]>([
  ['7:58 AM', local(2026, 10, 15, 7, 58)],
  ['12:05 PM', local(2026, 10, 15, 12, 5)],
  ['11:30 PM', local(2026, 10, 15, 23, 30)],
  ['5:00 AM', local(2026, 10, 15, 5, 0)],
  ['Nov 16th, 2026 6:58 AM', local(2026, 10, 16, 6, 58)],
  ['Jan 1st, 2027 12:00 AM', local(2027, 0, 1, 0, 0)],
])('%s', (words, expected) => {
  expect(parseResetTime(words, now)).toBe(expected);
});

test('a time of yesterday read after midnight has passed', () => {
  expect(parseResetTime('11:50 PM', local(2026, 10, 16, 0, 5))).toBe(local(2026, 10, 15, 23, 50));
});

test.each(['', 'later', 'tomorrow', 'Foo 3rd, 2026 1:00 AM'])('%j is not a time', (words) => {
  expect(parseResetTime(words, now)).toBeUndefined();
});
