import type { Instant } from '../base/ports.ts';
import type { LimitHit, LimitPolicy, UsageLimit } from './usage-limit.ts';

export type ParkStep =
  | { readonly kind: 'nothing'; readonly why: string }
  | { readonly kind: 'park'; readonly until: Instant; readonly named: boolean; readonly why: string }
  | { readonly kind: 'change'; readonly fields: Partial<UsageLimit>; readonly why: string };

/** What one agent at its usage limit means for the account it shares with others. */
export function decideParking(hit: LimitHit, known: UsageLimit | undefined, policy: LimitPolicy, now: Instant): ParkStep {
  if (known?.ended_ms === null) return amend(hit, known, policy, now);
  if (known !== undefined && isSettled(hit, known)) return { kind: 'nothing', why: 'that limit is over' };
  if (known !== undefined && isLeftOver(hit, known)) return { kind: 'nothing', why: 'the screen shows the limit of another day' };
  const end = endOf(hit, policy, now);
  if (end === undefined) return { kind: 'nothing', why: 'the screen shows a limit that is over' };
  if (end.until <= now) return { kind: 'nothing', why: 'it was over before anybody looked' };
  const when = end.named ? 'when it resets' : 'as nobody says when it resets';
  return { kind: 'park', ...end, why: `nothing is sent to this account until then, ${when}` };
}

/** Another agent of the account, or the same one again, while the account rests already. */
function amend(hit: LimitHit, known: UsageLimit, policy: LimitPolicy, now: Instant): ParkStep {
  if (hit.continuesByItself && !known.continues_by_itself)
    return { kind: 'change', fields: { continues_by_itself: true }, why: 'its agent says that it goes on by itself' };
  if (hit.event !== null && hit.event <= known.event) return { kind: 'nothing', why: 'it is known already' };
  const end = endOf(hit, policy, now);
  const later = end !== undefined && end.until > known.until_ms;
  const better = end?.named === true && (later || !known.named);
  if (end !== undefined && (better || (later && !known.named && hit.event !== null))) {
    const fields = { until_ms: end.until, named: end.named, event: hit.event ?? known.event };
    return { kind: 'change', fields, why: end.named ? 'an agent named the time' : 'it was reached once more' };
  }
  if (hit.event === null) return { kind: 'nothing', why: 'it is known already' };
  return { kind: 'change', fields: { event: hit.event }, why: 'another agent of the account reached it' };
}

function isSettled(hit: LimitHit, known: UsageLimit): boolean {
  return hit.event === null ? hit.at <= (known.ended_ms ?? 0) : hit.event <= known.ended_event;
}

/**
 * A time without its date, read again after a restart or a redraw, seems to be one of today. An agent that was given nothing since the
 * limit ended cannot have reached another one.
 */
function isLeftOver({ event, prompt, resetsAt }: LimitHit, known: UsageLimit): boolean {
  if (event !== null || resetsAt === null || !known.named || prompt > known.ended_event) return false;
  const days = Math.round((resetsAt - known.until_ms) / DAY_MS);
  const sameTime = new Date(known.until_ms);
  sameTime.setDate(sameTime.getDate() + days);
  return days > 0 && Math.abs(resetsAt - sameTime.getTime()) <= MINUTE_MS;
}

/** Undefined for a screen left over from a limit that has ended. A report that names a time in the past is as good as one without. */
function endOf(hit: LimitHit, policy: LimitPolicy, now: Instant): { until: Instant; named: boolean } | undefined {
  // A clock that was set back must not make a wait of minutes one of days.
  const at = Math.min(hit.at, now);
  const resetsAt = hit.resetsAt === null ? null : afterItsMinute(hit.resetsAt);
  if (resetsAt !== null && resetsAt > at && resetsAt - at <= policy.farthestMs) return { until: resetsAt, named: true };
  if (resetsAt !== null && resetsAt <= at && hit.event === null) return undefined;
  return { until: at + policy.guessMs, named: false };
}

/** CLIs name the end in words, cut down to the minute: it lies somewhere within that one, and a prompt before it would only meet the limit again. */
function afterItsMinute(resetsAt: Instant): Instant {
  return resetsAt % MINUTE_MS === 0 ? resetsAt + MINUTE_MS : resetsAt;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

export type EndStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'end'; readonly why: string }
  | { readonly kind: 'shorten'; readonly until: Instant; readonly why: string };

/** A clock that is set back by less than this changes no plan. */
const CLOCK_SLACK_MS = 60_000;

/** Whether an account may go on. Its end is a time of day, so that a machine that slept wakes up to it. */
export function decideEnd(limit: UsageLimit, policy: LimitPolicy, now: Instant): EndStep {
  if (limit.ended_ms !== null) return { kind: 'nothing' };
  if (now >= limit.until_ms) return { kind: 'end', why: limit.named ? 'it has reset' : 'it has rested long enough' };
  const longestMs = limit.named ? policy.farthestMs : policy.guessMs;
  if (limit.until_ms - now <= longestMs + CLOCK_SLACK_MS) return { kind: 'nothing' };
  return { kind: 'shorten', until: now + policy.guessMs, why: 'the clock was set back, so that its end is not to be trusted' };
}
