import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { isHolding, type UsageLimit } from '../../recovery/usage-limit.ts';
import type { State } from '../../store/state.ts';

/** Whose usage limit an agent reaches. One taken out of config.toml shares with nobody. */
export function accountOf(config: Config, agent: string): string {
  try {
    return agentProgram(config, agent).account;
  } catch {
    return agent;
  }
}

/** Every worker whose agent shares the account, by name. */
export function sharersOf(state: State, config: Config, account: string): readonly string[] {
  return Object.values(state.workers)
    .filter(({ agent }) => accountOf(config, agent) === account)
    .map(({ name }) => name)
    .sort();
}

/** The last usage limit an agent's account reached, over or not. */
export function limitOf(state: State, config: Config, agent: string): UsageLimit | undefined {
  const account = accountOf(config, agent);
  return Object.hasOwn(state.limits, account) ? state.limits[account] : undefined;
}

/** The limit an agent has to wait for right now. */
export function holdingLimit(state: State, config: Config, agent: string, now: number): UsageLimit | undefined {
  const limit = limitOf(state, config, agent);
  return isHolding(limit, now) ? limit : undefined;
}
