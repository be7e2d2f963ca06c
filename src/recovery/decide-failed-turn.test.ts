import { describe, expect, test } from 'vitest';
import { aFailedTurnView, FAILED_AT, FAILED_TURN_CASES } from './cases/failed-turn-cases.ts';
import { decideFailedTurn } from './decide-failed-turn.ts';
import { FAILED_TURN_POLICY } from './failed-turn-policy.ts';

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
