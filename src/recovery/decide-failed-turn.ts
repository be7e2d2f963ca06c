import type { AgentErrorType } from '../agents/activity.ts';
import type { Instant } from '../base/ports.ts';
import { waitMs } from './backoff.ts';
import type { FailedTurnPolicy } from './policies/failed-turn-policy.ts';

/** The turns in a row that failed without progress between them. `state.json` stores it under these names. */
export interface FailedTurn {
  readonly error: AgentErrorType;
  readonly message: string;
  /** The number of the agent's own report; null when only its screen shows the failure. */
  readonly event: number | null;
  readonly since_ms: Instant;
  /** Which attempt to continue comes next or was made last, and how many there are. */
  readonly attempt: number;
  readonly attempts: number;
  /** When the agent is told to continue; null once it was. */
  readonly until_ms: Instant | null;
}

export interface FailedTurnView {
  /** The worker is in the middle of a task. */
  readonly hasTask: boolean;
  /** The failure that the agent shows now. */
  readonly failure: (Pick<FailedTurn, 'error' | 'message' | 'event'> & { readonly recoverable: boolean }) | undefined;
  readonly known: FailedTurn | null;
  /** The agent was sent a prompt since the failure, or a prompt waits for it. */
  readonly answered: boolean;
  /** The agent works or asks: it continues by itself, or a person typed. */
  readonly busy: boolean;
  /** The agent has used a tool since the failure before this one. */
  readonly progressed: boolean;
  /** A fresh capture shows the agent at its prompt, and no prompt is on its way there. */
  readonly stands: boolean;
  /** How long the agent has shown what it shows now. */
  readonly shownMs: number;
  /** The CLI can shorten its conversation. */
  readonly compacts: boolean;
  /** 0 to 1, drawn at random. */
  readonly chance: number;
}

export type FailedTurnStep =
  | { readonly kind: 'nothing'; readonly why: string }
  | { readonly kind: 'wait'; readonly why: string }
  /** The next attempt gets its time. */
  | { readonly kind: 'plan'; readonly failed: FailedTurn; readonly why: string }
  | { readonly kind: 'go_on'; readonly how: 'continue' | 'compact' | 'fresh'; readonly failed: FailedTurn; readonly why: string }
  /** Something else continued the agent: only the number of the attempt is kept. */
  | { readonly kind: 'settle'; readonly why: string }
  | { readonly kind: 'forget'; readonly why: string }
  | { readonly kind: 'call'; readonly attempts: number; readonly why: string };

/** After this time the prompt is queued all the same: what holds it there, such as an open menu, is told to a person. */
const PROMPT_PATIENCE_MS = 60_000;

/** Decides what follows a turn that ended with an error. A usage limit is not one: `decide-limit.ts`. */
export function decideFailedTurn(view: FailedTurnView, policy: FailedTurnPolicy, now: Instant): FailedTurnStep {
  const { known, failure } = view;
  if (!view.hasTask)
    return known === null
      ? { kind: 'nothing', why: 'no task is in progress' }
      : { kind: 'forget', why: 'the worker has no task to continue' };
  const waits = known?.until_ms !== undefined && known.until_ms !== null;
  if (view.answered || view.busy)
    return waits
      ? { kind: 'settle', why: 'the agent continues without the prompt' }
      : { kind: 'nothing', why: 'the agent was sent a prompt since' };
  if (waits) return whenDue(known, view, now);
  if (failure === undefined) return { kind: 'nothing', why: 'no turn failed' };
  return afterFailure(failure, view, policy, now);
}

function afterFailure(
  failure: NonNullable<FailedTurnView['failure']>,
  view: FailedTurnView,
  policy: FailedTurnPolicy,
  now: Instant,
): FailedTurnStep {
  const { error, message, event } = failure;
  const before = view.known === null || view.progressed ? 0 : view.known.attempt;
  if (error === 'context_full') return whenFull(failure, view, before, policy, now);
  if (!failure.recoverable) return { kind: 'call', attempts: before, why: 'a person has to act before the agent can continue' };
  const attempts = policy.backoffMs.length;
  const next = policy.backoffMs[before];
  if (next === undefined)
    return { kind: 'call', attempts: before, why: before === 0 ? 'no attempt is configured' : 'every attempt failed' };
  const failed = {
    error,
    message,
    event,
    since_ms: now,
    attempt: before + 1,
    attempts,
    until_ms: now + waitMs(next, policy.jitter, view.chance),
  };
  return { kind: 'plan', failed, why: 'the same prompt may succeed later' };
}

/** Once per failure in a row: a conversation that is full again was not the reason. */
function whenFull(
  { error, message, event }: NonNullable<FailedTurnView['failure']>,
  { stands, shownMs, compacts }: FailedTurnView,
  before: number,
  { contextFull }: FailedTurnPolicy,
  now: Instant,
): FailedTurnStep {
  if (contextFull === 'ask') return { kind: 'call', attempts: before, why: 'a person decides what the conversation may forget' };
  if (before > 0) return { kind: 'call', attempts: before, why: 'the conversation is full again' };
  if (!stands && shownMs < PROMPT_PATIENCE_MS) return { kind: 'wait', why: 'no fresh capture shows the agent at its prompt' };
  const failed = { error, message, event, since_ms: now, attempt: 1, attempts: 1, until_ms: null };
  const how = contextFull === 'compact' && !compacts ? 'fresh' : contextFull;
  return { kind: 'go_on', how, failed, why: 'the conversation is full' };
}

function whenDue(known: FailedTurn, { stands }: FailedTurnView, now: Instant): FailedTurnStep {
  const until = known.until_ms ?? now;
  // A clock that was set back must not turn a wait of minutes into days.
  const waitedMs = now - known.since_ms;
  if (now < until && waitedMs >= 0) return { kind: 'wait', why: 'its next attempt is not due' };
  if (!stands && waitedMs >= 0 && now - until < PROMPT_PATIENCE_MS)
    return { kind: 'wait', why: 'no fresh capture shows the agent at its prompt' };
  return { kind: 'go_on', how: 'continue', failed: { ...known, until_ms: null }, why: 'the wait after the failed turn is over' };
}
