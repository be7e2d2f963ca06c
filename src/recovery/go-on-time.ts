import type { Instant } from '../base/ports.ts';
import type { LimitPolicy } from './policies/limit-policy.ts';
import type { UsageLimit } from './usage-limit.ts';

/**
 * When one worker of an account may be sent a prompt again. The workers continue at even intervals, in an order that begins at a
 * random place, so that twenty workers do not reach the next limit in the same second. An agent that continues by itself gets time for it.
 */
export function goesOnAt(
  limit: UsageLimit,
  worker: string,
  sharers: readonly string[],
  continuesByItself: boolean,
  policy: LimitPolicy,
): Instant {
  const { ended_ms, until_ms, jitter } = limit;
  const row = [...new Set([...sharers, worker])].sort();
  const place = (jitter + row.indexOf(worker) / row.length) % 1;
  const turn = (ended_ms ?? until_ms) + Math.floor(place * Math.min(row.length * policy.spacingMs, policy.widestMs));
  return continuesByItself ? Math.max(turn, until_ms + policy.selfMs) : turn;
}
