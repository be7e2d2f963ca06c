import { LlmcError } from '../../base/error.ts';
import { localDay } from '../../base/local-day.ts';
import type { Config } from '../../config/schema.ts';
import { budgetSpent } from '../../recovery/decide-budget.ts';
import { spentOn } from '../../store/tables/spending.ts';
import type { WorkContext } from '../context.ts';

type Ports = Pick<WorkContext, 'store' | 'clock'>;

/** Returns why no new task may start today, or undefined if one may. */
export function budgetReason({ store, clock }: Ports, config: Config): string | undefined {
  const { tokensPerDay, costUsdPerDay } = config.budget;
  if (tokensPerDay === 0 && costUsdPerDay === 0) return undefined;
  return budgetSpent(spentOn(store.database, localDay(clock.now())), config.budget);
}

/** The same for readers: a config.toml that is being edited must not hide everything else. */
export async function readBudgetLeniently(context: Pick<WorkContext, 'store' | 'clock' | 'config'>): Promise<string | undefined> {
  const config = await context.config().catch(() => undefined);
  return config && budgetReason(context, config);
}

export function requireBudget(context: Ports, config: Config): void {
  const reason = budgetReason(context, config);
  if (reason === undefined) return;
  throw new LlmcError('BUDGET_SPENT', reason, {
    hint: 'Raise it under [budget] in config.toml, or let the task wait for tomorrow: llmc start --queue …',
  });
}
