import { LlmcError } from '../base/error.ts';
import { isHolding } from '../recovery/usage-limit.ts';
import { lastEventSeq } from '../store/tables/events.ts';
import type { WorkContext } from './context.ts';
import { listSharers } from './pool/account.ts';

export interface Lifted {
  readonly account: string;
  /** When the limit would have ended. Agents that wait by themselves continue then. */
  readonly until_unix: number;
  /** Workers that continue now, one after the other. */
  readonly workers: readonly string[];
  /** Workers whose agents still wait by themselves. */
  readonly by_themselves: readonly string[];
}

/** Ends a usage limit early, for example after the user bought more. Earlier reports of the account's agents no longer count. */
export async function liftLimit(context: Pick<WorkContext, 'store' | 'clock' | 'config' | 'agents'>, account: string): Promise<Lifted> {
  const { store, clock } = context;
  const now = clock.now();
  const limit = Object.hasOwn(store.state.limits, account) ? store.state.limits[account] : undefined;
  if (!isHolding(limit, now)) {
    const waiting = Object.values(store.state.limits).filter((one) => isHolding(one, now));
    throw new LlmcError('INVALID_ARGUMENT', `"${account}" does not wait for a usage limit`, {
      hint: waiting.length === 0 ? 'None does: llmc status' : `These do: ${waiting.map((one) => one.account).join(', ')}.`,
    });
  }
  store.commit({
    worker: null,
    kind: 'limit',
    summary: `the usage limit of ${account} is lifted: a person said so`,
    state: (draft) => Object.assign(draft.limits[account] ?? {}, { ended_ms: now, ended_event: lastEventSeq(store.database) }),
  });
  const sharers = listSharers(store.state, await context.config(), account);
  return {
    account,
    until_unix: Math.ceil(limit.until_ms / 1_000),
    workers: sharers.filter((name) => !context.agents.continuesByItself(name)),
    by_themselves: sharers.filter((name) => context.agents.continuesByItself(name)),
  };
}
