import { expect, test } from 'vitest';
import { budgetSpent } from './decide-budget.ts';

const OFF = { tokensPerDay: 0, costUsdPerDay: 0 };

test.each([
  ['nothing is limited by default', { tokens: 1e12, costUsd: 1e6 }, OFF, undefined],
  ['below the tokens', { tokens: 999, costUsd: 0 }, { ...OFF, tokensPerDay: 1_000 }, undefined],
  ['at the tokens', { tokens: 1_000, costUsd: 0 }, { ...OFF, tokensPerDay: 1_000 }, /1000 tokens today.*tokens_per_day/],
  ['below the cost', { tokens: 5, costUsd: 1.99 }, { ...OFF, costUsdPerDay: 2 }, undefined],
  ['at the cost', { tokens: 5, costUsd: 2 }, { ...OFF, costUsdPerDay: 2 }, /\$2\.00 today.*cost_usd_per_day/],
])('%s', (_, spent, budget, expected) => {
  const why = budgetSpent(spent, budget);
  if (expected === undefined) expect(why).toBeUndefined();
  else expect(why).toMatch(expected);
});
