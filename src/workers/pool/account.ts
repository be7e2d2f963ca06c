import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { isHolding, type UsageLimit } from '../../recovery/usage-limit.ts';
import type { State } from '../../store/state.ts';

/** Returns the account whose usage limit an agent shares. An agent that is not in config.toml shares none. */
export function nameAccount(config: Config, agent: string): string {
  try {
    return agentProgram(config, agent).account;
  } catch {
    return agent;
  }
}

/** Lists the workers whose agents share the account. A run may have dozens that rest: they send nothing when a limit ends. */
export function listSharers(state: State, config: Config, account: string): readonly string[] {
  return Object.values(state.workers)
    .filter(({ agent, run }) => run?.resting !== true && nameAccount(config, agent) === account)
    .map(({ name }) => name)
    .sort();
}

/** Returns the last usage limit of an agent's account, ended or not. */
export function findLimit(state: State, config: Config, agent: string): UsageLimit | undefined {
  const account = nameAccount(config, agent);
  return Object.hasOwn(state.limits, account) ? state.limits[account] : undefined;
}

/** Returns the limit for which an agent must wait now. */
export function holdingLimit(state: State, config: Config, agent: string, now: number): UsageLimit | undefined {
  const limit = findLimit(state, config, agent);
  return isHolding(limit, now) ? limit : undefined;
}
