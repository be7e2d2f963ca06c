import { describe, expect, test } from 'vitest';
import { END_CASES, PARK_CASES } from './cases/limit-cases.ts';
import { aLimit, aLimitHit, NOON } from './cases/samples.ts';
import { decideEnd, decideParking } from './decide-limit.ts';
import { LIMIT_POLICY } from './limit-policy.ts';
import type { UsageLimit } from './usage-limit.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('an agent at its limit', () => {
  test.each(PARK_CASES)('$when', ({ view, step }) => {
    const decided = decideParking(view.hit, view.known, LIMIT_POLICY, NOON);
    expect(decided).toMatchObject(step);
    expect(decided.why).not.toBe('');
  });
});

describe('a parked account', () => {
  test.each(END_CASES)('$when', ({ view, step }) => {
    expect(decideEnd(view, LIMIT_POLICY, NOON)).toMatchObject(step);
  });
});

test('a limit is counted once, however often it is observed', () => {
  for (const hit of [aLimitHit(), aLimitHit({ resetsAt: NOON + HOUR }), aLimitHit({ at: NOON + DAY }), aLimitHit({ event: null })]) {
    const first = decideParking(hit, parked({ event: 0 }), LIMIT_POLICY, NOON);
    const after = parked({ event: 0, ...(first.kind === 'change' && first.fields) });
    expect(decideParking(hit, after, LIMIT_POLICY, NOON + MINUTE)).toMatchObject({ kind: 'nothing' });
  }
});

function parked(changes: Partial<UsageLimit>): UsageLimit {
  return aLimit({ until_ms: NOON + 5 * MINUTE, ...changes });
}
