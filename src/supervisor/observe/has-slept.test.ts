import { expect, test } from 'vitest';
import { hasSlept } from './has-slept.ts';

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
