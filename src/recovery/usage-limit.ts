import type { Activity } from '../agents/activity.ts';
import type { Instant } from '../base/ports.ts';

/** What is known about the usage limit of an account, the last one it reached. `state.json` keeps it under these names. */
export interface UsageLimit {
  readonly account: string;
  /** Whose agent reached it, and what that agent said. */
  readonly worker: string;
  readonly why: string;
  readonly since_ms: Instant;
  readonly until_ms: Instant;
  /** Whether the agent named that time; otherwise it is a guess. */
  readonly named: boolean;
  /** Whether an agent was seen that waits and goes on without being told. */
  readonly continues_by_itself: boolean;
  /** 0 to 1, drawn once: where the row of workers that go on afterwards begins. */
  readonly jitter: number;
  /** The last report that was counted in. Numbers of events rise, whatever the clock does. */
  readonly event: number;
  /** When it was over or lifted, null while it holds; and the last event by then: what was reported before is settled. */
  readonly ended_ms: Instant | null;
  readonly ended_event: number;
}

/** An agent seen at its usage limit. */
export interface LimitHit {
  readonly at: Instant;
  readonly resetsAt: Instant | null;
  readonly continuesByItself: boolean;
  readonly says: string;
  /** The number of its own report. Null when only the screen shows it, which may be of a limit that is long over. */
  readonly event: number | null;
  /** The number of the last prompt the agent reported by then; 0 for none. */
  readonly prompt: number;
}

export interface LimitPolicy {
  /** How long an account rests when nobody says when the limit ends. */
  readonly guessMs: number;
  /** An end further away than this was misread: the longest limits known are weekly. */
  readonly farthestMs: number;
  /** Room for each worker of the account when they go on, and for all of them together at most. */
  readonly spacingMs: number;
  readonly widestMs: number;
  /** What an agent that goes on by itself gets for that after the end: Claude Code 2.1.325 took 95 s. */
  readonly selfMs: number;
}

export const LIMIT_POLICY: LimitPolicy = {
  guessMs: 5 * 60_000,
  farthestMs: 8 * 24 * 3_600_000,
  spacingMs: 2_000,
  widestMs: 60_000,
  selfMs: 3 * 60_000,
};

/** Too many requests at once are retried by the CLI, and an overloaded service is nobody's limit: only a turn that ended so counts. */
export function isLimit(activity: Activity | undefined): boolean {
  return activity?.kind === 'waiting_limit' || (activity?.kind === 'error' && activity.type === 'rate_limit');
}

/** One that is left to go on at its own time. */
export function waitsByItself(activity: Activity | undefined): boolean {
  return activity?.kind === 'waiting_limit' && activity.continuesByItself;
}

export function isHolding(limit: UsageLimit | undefined, now: Instant): limit is UsageLimit {
  return limit !== undefined && limit.ended_ms === null && now < limit.until_ms;
}
