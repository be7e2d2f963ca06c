import type { Activity } from '../agents/activity.ts';
import type { Instant } from '../base/ports.ts';

/** The last usage limit that an account reached. `state.json` stores it under these names. */
export interface UsageLimit {
  readonly account: string;
  /** The worker whose agent reached it, and the agent's message. */
  readonly worker: string;
  readonly why: string;
  readonly since_ms: Instant;
  readonly until_ms: Instant;
  /** Whether the agent named that time; otherwise it is a guess. */
  readonly named: boolean;
  /** Whether an agent waits and continues without a prompt. */
  readonly continues_by_itself: boolean;
  /** 0 to 1, drawn once: where the order of the workers that continue afterwards begins. */
  readonly jitter: number;
  /** The last counted report. Event numbers rise, whatever the clock does. */
  readonly event: number;
  /** When the limit ended or was lifted, null while it holds; and the last event by then: an earlier report is settled. */
  readonly ended_ms: Instant | null;
  readonly ended_event: number;
}

/** An agent at its usage limit. */
export interface LimitHit {
  readonly at: Instant;
  readonly resetsAt: Instant | null;
  readonly continuesByItself: boolean;
  readonly says: string;
  /** The number of the agent's own report. Null when only the screen shows the limit, which may be over for long. */
  readonly event: number | null;
  /** The number of the last prompt the agent had reported by then; 0 for none. */
  readonly prompt: number;
}

/** The CLI retries too many requests at once, and an overloaded service is not a usage limit: only a turn that ended so counts. */
export function isLimit(activity: Activity | undefined): boolean {
  return activity?.kind === 'waiting_limit' || (activity?.kind === 'error' && activity.type === 'rate_limit');
}

/** A worker whose agent continues by itself. */
export function waitsByItself(activity: Activity | undefined): boolean {
  return activity?.kind === 'waiting_limit' && activity.continuesByItself;
}

export function isHolding(limit: UsageLimit | undefined, now: Instant): limit is UsageLimit {
  return limit !== undefined && limit.ended_ms === null && now < limit.until_ms;
}
