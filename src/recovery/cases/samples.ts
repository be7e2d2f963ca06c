import { LIMIT_POLICY } from '../policies/limit-policy.ts';
import type { LimitHit, UsageLimit } from '../usage-limit.ts';

/** For tests: half a second past noon, an account parked from then on for the usual guess, and an agent that reached its limit at that moment. */

export const NOON = 1_800_000_000_500;

export function aLimit(changes: Partial<UsageLimit> = {}): UsageLimit {
  return {
    account: 'claude',
    worker: 'adam',
    why: 'limit reached',
    since_ms: NOON,
    until_ms: NOON + LIMIT_POLICY.guessMs,
    named: false,
    continues_by_itself: false,
    jitter: 0,
    event: 7,
    ended_ms: null,
    ended_event: 0,
    ...changes,
  };
}

export function aLimitHit(changes: Partial<LimitHit> = {}): LimitHit {
  return { at: NOON, resetsAt: null, continuesByItself: false, says: 'limit reached', event: 8, prompt: 0, ...changes };
}
