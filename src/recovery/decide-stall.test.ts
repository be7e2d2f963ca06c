import { expect, test } from 'vitest';
import { STALLED_AFTER_MS, stalledSince } from './decide-stall.ts';

const NOW = 1_800_000_000_000;

test.each<[string, number | undefined, number | undefined]>([
  ['never had a pass', undefined, undefined],
  ['had a pass just now', NOW, undefined],
  ['had a pass a moment before the limit', NOW - STALLED_AFTER_MS + 1, undefined],
  ['had its last pass at the limit', NOW - STALLED_AFTER_MS, NOW - STALLED_AFTER_MS],
  ['had its last pass hours ago', NOW - 3_600_000, NOW - 3_600_000],
  ['had a pass in the future, because the clock was set back', NOW + 3_600_000, undefined],
])('a supervisor that %s', (_, lastPassAt, expected) => {
  expect(stalledSince(lastPassAt, NOW)).toBe(expected);
});
