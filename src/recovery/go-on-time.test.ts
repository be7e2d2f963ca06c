import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aLimit, NOON } from './cases/samples.ts';
import { goesOnAt } from './go-on-time.ts';
import { LIMIT_POLICY } from './policies/limit-policy.ts';

const team = (size: number) => Array.from({ length: size }, (_, index) => `w${index}`);
const jitter = fc.double({ min: 0, max: 1, noNaN: true });

test('workers continue at even intervals, none before the limit is over, wherever the order begins', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), jitter, (size, drawn) => {
      const names = team(size);
      const limit = aLimit({ until_ms: NOON, jitter: drawn });
      const times = names.map((name) => goesOnAt(limit, name, names, false, LIMIT_POLICY)).sort((a, b) => a - b);
      const span = Math.min(size * LIMIT_POLICY.spacingMs, LIMIT_POLICY.widestMs);
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(times.every((at) => at >= NOON && at <= NOON + span)).toBe(true);
      expect(gaps.every((gap) => gap >= span / size - 1)).toBe(true);
    }),
  );
});

test('a lifted limit lets them continue from that moment', () => {
  const limit = aLimit({ until_ms: NOON + 3_600_000, ended_ms: NOON });
  expect(goesOnAt(limit, 'w1', team(4), false, LIMIT_POLICY)).toBe(NOON + 2_000);
});

test('a worker that is not in the list gets the last place', () => {
  expect(goesOnAt(aLimit({ until_ms: NOON }), 'w9', team(3), false, LIMIT_POLICY)).toBe(NOON + 6_000);
});

test('an agent that continues by itself gets time for it, also when the limit is lifted', () => {
  const end = NOON + 60_000;
  for (const ended_ms of [null, NOON])
    expect(goesOnAt(aLimit({ until_ms: end, ended_ms }), 'w0', team(2), true, LIMIT_POLICY)).toBe(end + LIMIT_POLICY.selfMs);
});
