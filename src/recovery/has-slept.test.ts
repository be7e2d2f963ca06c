import { expect, test } from 'vitest';
import { hasSlept, isSettling, SETTLE_MS } from './has-slept.ts';

const NOW = 1_800_000_000_000;

test.each<[string, number | undefined, boolean]>([
  ['has not rested yet', undefined, false],
  ['rested for two seconds', NOW - 2_000, false],
  ['rested for half a minute, on a machine under load', NOW - 30_000, false],
  ['did not run for a minute', NOW - 60_000, true],
  ['was suspended for eight hours', NOW - 8 * 3_600_000, true],
  ['found its clock set back', NOW + 3_600_000, false],
])('a loop that %s', (_, restedAt, expected) => {
  expect(hasSlept(restedAt, NOW)).toBe(expected);
});

test.each<[string, number, boolean]>([
  ['never slept', 0, false],
  ['woke up now', NOW + SETTLE_MS, true],
  ['woke up almost five seconds ago', NOW + 1, true],
  ['woke up five seconds ago', NOW, false],
  ['woke up, and found its clock set back by an hour', NOW + 3_600_000, false],
])('whether a loop only observes that %s', (_, actFrom, expected) => {
  expect(isSettling(actFrom, NOW)).toBe(expected);
});
