export interface Budget {
  /** 0: no limit. */
  readonly tokensPerDay: number;
  readonly costUsdPerDay: number;
}

export interface SpentToday {
  readonly tokens: number;
  readonly costUsd: number;
}

/** Why no new task may begin today; undefined when a task may begin. */
export function budgetSpent(spent: SpentToday, budget: Budget): string | undefined {
  const { tokensPerDay, costUsdPerDay } = budget;
  if (tokensPerDay > 0 && spent.tokens >= tokensPerDay)
    return `the workers have used ${spent.tokens} tokens today, and the budget is ${tokensPerDay} (tokens_per_day)`;
  if (costUsdPerDay > 0 && spent.costUsd >= costUsdPerDay)
    return `the workers have cost $${spent.costUsd.toFixed(2)} today, and the budget is $${costUsdPerDay.toFixed(2)} (cost_usd_per_day)`;
  return undefined;
}
