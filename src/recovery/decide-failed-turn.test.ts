import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aFailedTurnView, FAILED_AT, FAILED_TURN_CASES } from './cases/failed-turn-cases.ts';
import { decideFailedTurn, type FailedTurn } from './decide-failed-turn.ts';
import { FAILED_TURN_POLICY } from './policies/failed-turn-policy.ts';

describe('when', () => {
  test.each(FAILED_TURN_CASES)('$when', ({ view, policy, step }) => {
    expect(decideFailedTurn(view, { ...FAILED_TURN_POLICY, ...policy }, FAILED_AT)).toMatchObject(step);
  });
});

test.each([
  [0, 60_000],
  [0.5, 66_000],
  [1, 72_000],
])('chance %f makes the first wait of a minute %i ms long', (chance, waitMs) => {
  const step = decideFailedTurn(aFailedTurnView({ chance }), FAILED_TURN_POLICY, FAILED_AT);
  expect(step.kind === 'plan' && step.failed.until_ms).toBe(FAILED_AT + waitMs);
});

/** Runs one task through an outage; returns how often the agent was told to continue, or null when a person was called. */
function night(outageMs: number, chances: readonly number[]): number | null {
  const RETRIES_MS = 184_000;
  let now = FAILED_AT + RETRIES_MS;
  let known: FailedTurn | null = null;
  for (let attempts = 0; ; attempts += 1) {
    if (now >= FAILED_AT + outageMs + RETRIES_MS) return attempts;
    const plan = decideFailedTurn(aFailedTurnView({ known, chance: chances[attempts] ?? 0 }), FAILED_TURN_POLICY, now);
    if (plan.kind !== 'plan') return null;
    now = plan.failed.until_ms ?? now;
    const goOn = decideFailedTurn(aFailedTurnView({ known: plan.failed }), FAILED_TURN_POLICY, now);
    if (goOn.kind !== 'go_on') return null;
    known = goOn.failed;
    now += RETRIES_MS;
  }
}

test('a service that is overloaded for an hour needs no person, whatever chance adds', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60 * 60_000 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
      (outage, chances) => {
        expect(night(outage, chances)).not.toBeNull();
      },
    ),
  );
  expect(night(60 * 60_000, [])).toBe(6);
  expect(night(3 * 60 * 60_000, [])).toBeNull();
});
