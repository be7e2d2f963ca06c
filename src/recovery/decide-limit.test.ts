import { describe, expect, test } from 'vitest';
import { END_CASES, PARK_CASES } from './cases/limit-cases.ts';
import { aLimit, aLimitHit, NOON } from './cases/samples.ts';
import { decideEnd, decideParking, type ParkStep } from './decide-limit.ts';
import { LIMIT_POLICY } from './policies/limit-policy.ts';
import type { LimitHit, UsageLimit } from './usage-limit.ts';

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

describe('the edges of a limit', () => {
  const byScreen = { event: null };
  test.each<[string, Partial<LimitHit>, Partial<UsageLimit> | undefined, ParkStep['kind']]>([
    ['a guess that ends now is over', { at: NOON - LIMIT_POLICY.guessMs }, undefined, 'nothing'],
    ['a screen of the moment in which the last one ended', { ...byScreen, at: NOON - 1 }, { ended_ms: NOON - 1 }, 'nothing'],
    ['a screen that names a time too far away is a guess', { ...byScreen, resetsAt: NOON + 9 * DAY }, undefined, 'park'],
    ['a screen with a time in the past, while the account is parked', { ...byScreen, resetsAt: NOON - MINUTE }, {}, 'nothing'],
  ])('%s', (_, hit, known, kind) => {
    const before = known && aLimit({ until_ms: NOON + 5 * MINUTE, ...known });
    expect(decideParking(aLimitHit(hit), before, LIMIT_POLICY, NOON).kind).toBe(kind);
  });

  test('the farthest time that counts, and one more', () => {
    const at = (ms: number) => decideParking(aLimitHit({ resetsAt: NOON + ms }), undefined, LIMIT_POLICY, NOON);
    expect(at(LIMIT_POLICY.farthestMs)).toMatchObject({ named: true });
    expect(at(LIMIT_POLICY.farthestMs + 1)).toMatchObject({ named: false });
  });

  test.each([
    ['the same time', NOON + HOUR],
    ['an earlier time', NOON + HOUR - 1],
  ])('%s changes nothing but the report', (_, resetsAt) => {
    const known = parked({ named: true, until_ms: NOON + HOUR });
    expect(decideParking(aLimitHit({ event: 8, resetsAt }), known, LIMIT_POLICY, NOON)).toMatchObject({ fields: { event: 8 } });
    expect(decideParking(aLimitHit({ event: 8, resetsAt }), known, LIMIT_POLICY, NOON)).not.toHaveProperty('fields.until_ms');
  });

  test.each([
    ['a guess, a minute later than a clock allows', 0, 'nothing'],
    ['a millisecond more', 1, 'shorten'],
  ])('%s', (_, more, kind) => {
    expect(decideEnd(parked({ until_ms: NOON + LIMIT_POLICY.guessMs + MINUTE + more }), LIMIT_POLICY, NOON).kind).toBe(kind);
  });
});

function parked(changes: Partial<UsageLimit>): UsageLimit {
  return aLimit({ until_ms: NOON + 5 * MINUTE, ...changes });
}
