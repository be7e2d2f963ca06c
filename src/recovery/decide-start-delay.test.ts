import { expect, test } from 'vitest';
import { startDelayMs } from './decide-start-delay.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const ago = (...minutes: readonly number[]) => minutes.map((each) => NOW - each * MINUTE);

test.each<[string, readonly number[], number]>([
  ['the first start', [], 0],
  ['a restart', ago(1), 0],
  ['a second restart', ago(1, 2), 0],
  ['a third restart within half an hour', ago(1, 2, 3), 5_000],
  ['a fourth', ago(1, 2, 3, 29), 15_000],
  ['a fifth', ago(1, 2, 3, 4, 5), 30_000],
  ['an eighth', ago(1, 2, 3, 4, 5, 6, 7, 8), 300_000],
  ['a twentieth', ago(...Array.from({ length: 20 }, (_, index) => index)), 300_000],
  ['starts that lie half an hour back', ago(30, 31, 32, 33), 0],
  ['starts in the future, because the clock was set back', ago(-1, -2, -3, -4), 0],
])('%s waits', (_, earlier, expected) => {
  expect(startDelayMs(earlier, NOW)).toBe(expected);
});
