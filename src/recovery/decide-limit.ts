import type { Instant } from '../base/ports.ts';
import type { LimitPolicy } from './policies/limit-policy.ts';
import type { LimitHit, UsageLimit } from './usage-limit.ts';

export type ParkStep =
  | { readonly kind: 'nothing'; readonly why: string }
  | { readonly kind: 'park'; readonly until: Instant; readonly named: boolean; readonly why: string }
  | { readonly kind: 'change'; readonly fields: Partial<UsageLimit>; readonly why: string };

/** Decides what an agent's usage limit means for the account it shares with other agents. */
export function decideParking(hit: LimitHit, known: UsageLimit | undefined, policy: LimitPolicy, now: Instant): ParkStep {
  if (known?.ended_ms === null) return amend(hit, known, policy, now);
  if (known !== undefined && isSettled(hit, known)) return { kind: 'nothing', why: 'that limit is over' };
  if (known !== undefined && isLeftOver(hit, known)) return { kind: 'nothing', why: 'the screen shows the limit of another day' };
  const end = findEnd(hit, policy, now);
  if (end === undefined) return { kind: 'nothing', why: 'the limit on the screen is over' };
  if (end.until <= now) return { kind: 'nothing', why: 'the limit was over before llmc observed it' };
  const when = end.named ? 'when it resets' : 'because the agent does not say when it resets';
  return { kind: 'park', ...end, why: `llmc sends nothing to this account until then, ${when}` };
}

/** Another agent of the account, or the same one again, reaches the limit while the account is parked. */
function amend(hit: LimitHit, known: UsageLimit, policy: LimitPolicy, now: Instant): ParkStep {
  if (hit.continuesByItself && !known.continues_by_itself)
    return { kind: 'change', fields: { continues_by_itself: true }, why: 'its agent reports that it continues by itself' };
  if (hit.event !== null && hit.event <= known.event) return { kind: 'nothing', why: 'the limit is known already' };
  const end = findEnd(hit, policy, now);
  const later = end !== undefined && end.until > known.until_ms;
  const better = end?.named === true && (later || !known.named);
  if (end !== undefined && (better || (later && !known.named && hit.event !== null))) {
    const fields = { until_ms: end.until, named: end.named, event: hit.event ?? known.event };
    return { kind: 'change', fields, why: end.named ? 'an agent named the time of the reset' : 'an agent reached the limit again' };
  }
  if (hit.event === null) return { kind: 'nothing', why: 'the limit is known already' };
  return { kind: 'change', fields: { event: hit.event }, why: 'another agent of the account reached the limit' };
}

function isSettled(hit: LimitHit, known: UsageLimit): boolean {
  return hit.event === null ? hit.at <= (known.ended_ms ?? 0) : hit.event <= known.ended_event;
}

/**
 * The screen shows a time without a date. After a restart or a redraw it seems to be a time of today. An agent that has received
 * nothing since the limit ended cannot have reached another one.
 */
function isLeftOver({ event, prompt, resetsAt }: LimitHit, known: UsageLimit): boolean {
  if (event !== null || resetsAt === null || !known.named || prompt > known.ended_event) return false;
  const days = Math.round((resetsAt - known.until_ms) / DAY_MS);
  const sameTime = new Date(known.until_ms);
  sameTime.setDate(sameTime.getDate() + days);
  return days > 0 && Math.abs(resetsAt - sameTime.getTime()) <= MINUTE_MS;
}

/** Undefined for a screen left over from a limit that has ended. A reported time in the past counts as no time. */
function findEnd(hit: LimitHit, policy: LimitPolicy, now: Instant): { until: Instant; named: boolean } | undefined {
  // A clock that was set back must not turn a wait of minutes into days.
  const at = Math.min(hit.at, now);
  const resetsAt = hit.resetsAt === null ? null : afterItsMinute(hit.resetsAt);
  if (resetsAt !== null && resetsAt > at && resetsAt - at <= policy.farthestMs) return { until: resetsAt, named: true };
  if (resetsAt !== null && resetsAt <= at && hit.event === null) return undefined;
  return { until: at + policy.guessMs, named: false };
}

/** CLIs name the end as text, cut to the minute. The limit ends within that minute, and an earlier prompt would reach the limit again. */
function afterItsMinute(resetsAt: Instant): Instant {
  return resetsAt % MINUTE_MS === 0 ? resetsAt + MINUTE_MS : resetsAt;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

export type EndStep =
  | { readonly kind: 'nothing'; readonly why: string }
  | { readonly kind: 'end'; readonly why: string }
  | { readonly kind: 'shorten'; readonly until: Instant; readonly why: string };

/** Ignore a clock that is set back by less than this. */
const CLOCK_SLACK_MS = 60_000;

/** Decides whether an account may continue. Its end is a time of day, so it also holds after the machine slept. */
export function decideEnd(limit: UsageLimit, policy: LimitPolicy, now: Instant): EndStep {
  if (limit.ended_ms !== null) return { kind: 'nothing', why: 'it is over' };
  if (now >= limit.until_ms) return { kind: 'end', why: limit.named ? 'it has reset' : 'the guessed wait is over' };
  const longestMs = limit.named ? policy.farthestMs : policy.guessMs;
  if (limit.until_ms - now <= longestMs + CLOCK_SLACK_MS) return { kind: 'nothing', why: 'its time has not come' };
  return { kind: 'shorten', until: now + policy.guessMs, why: 'the clock was set back, so the stored end cannot be trusted' };
}
