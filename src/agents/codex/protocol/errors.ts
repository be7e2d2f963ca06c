import { z } from 'zod';
import type { Instant } from '../../../base/ports.ts';
import type { Activity, AgentErrorType } from '../../activity.ts';
import type { AgentEvent } from '../../events.ts';
import { parseResetTime } from '../reset-time.ts';
import type { TurnError } from './messages.ts';

type Failed = Extract<AgentEvent, { kind: 'turn_failed' }>;
/** Recoverable: the same prompt may succeed later without a person's help. */
type Failure = readonly [type: AgentErrorType, recoverable: boolean];

/** `codexErrorInfo` of Codex 0.166. */
const FAILURES: Readonly<Record<string, Failure>> = {
  usageLimitExceeded: ['rate_limit', true],
  rateLimitExceeded: ['rate_limit', true],
  sessionBudgetExceeded: ['billing', false],
  unauthorized: ['auth', false],
  serverOverloaded: ['overloaded', true],
  flexUnavailable: ['overloaded', true],
  policyCapacityUnavailable: ['overloaded', true],
  internalServerError: ['api', true],
  contextWindowExceeded: ['context_full', false],
  modelNotFound: ['invalid_request', false],
  badRequest: ['invalid_request', false],
  cyberPolicy: ['invalid_request', false],
  misalignmentPolicyViolation: ['invalid_request', false],
  tooManyDenials: ['tool', false],
  sandboxError: ['tool', false],
};

/** These come as an object with the status of the last answer, which is more exact than their name. */
const CONNECTION = [
  'httpConnectionFailed',
  'responseStreamConnectionFailed',
  'responseStreamDisconnected',
  'responseTooManyFailedAttempts',
];

/** A request that the API refuses comes as `other` with the raw JSON of its body; a broken stream comes as `other` with a sentence. */
const WORDS: readonly (readonly [RegExp, Failure])[] = [
  [/^Quota exceeded|insufficient_quota/i, ['billing', false]],
  [/stream disconnected|error sending request|connection|timed? ?out|timeout/i, ['network', true]],
  [/Missing environment variable|not logged in|log in again|refresh token/i, ['auth', false]],
  [/^\s*\{/, ['invalid_request', false]],
];

const withStatus = z.record(z.string(), z.looseObject({ httpStatusCode: z.number().nullish() }));

/** `at`: when the turn failed. `limitEnds`: the server's last report about the used-up limit. */
export function failedTurn(error: TurnError | null | undefined, at: Instant, limitEnds: Instant | null): Failed {
  const message = error?.message.trim() || 'the turn failed and Codex does not say why';
  const [type, recoverable] = judgeFailure(error?.codexErrorInfo, message);
  const resetsAt = type === 'rate_limit' ? moreExact(resetTime(message, at), limitEnds) : null;
  return { kind: 'turn_failed', type, recoverable, message, resetsAt };
}

/** The message names the minute; the server reported the second, unless that was about another limit. */
function moreExact(worded: Instant | undefined, limitEnds: Instant | null): Instant | null {
  const sameMinute = worded !== undefined && limitEnds !== null && limitEnds >= worded && limitEnds - worded < 60_000;
  return sameMinute ? limitEnds : (worded ?? limitEnds);
}

function resetTime(message: string, at: Instant): Instant | undefined {
  const again = /try again at (.+)/.exec(message)?.[1];
  return again === undefined ? undefined : parseResetTime(again, at);
}

/** The state of the agent between a failed turn and the next one. */
export function afterFailedTurn({ type, recoverable, message, resetsAt }: Failed): Activity {
  return type === 'rate_limit' && resetsAt !== null
    ? { kind: 'waiting_limit', resetsAt, continuesByItself: false }
    : { kind: 'error', type, recoverable, message };
}

function judgeFailure(info: unknown, message: string): Failure {
  const worded = WORDS.find(([words]) => words.test(message))?.[1];
  if (typeof info === 'string') {
    const named = FAILURES[info];
    // Codex 0.166 reports an empty account as a usage limit; only the message differs.
    return named === undefined || worded?.[0] === 'billing' ? (worded ?? ['unknown', true]) : named;
  }
  const status = withStatus.safeParse(info).data;
  const name = Object.keys(status ?? {})[0] ?? '';
  return CONNECTION.includes(name) ? byStatus(status?.[name]?.httpStatusCode ?? null) : (worded ?? ['unknown', true]);
}

function byStatus(status: number | null): Failure {
  if (status === null) return ['network', true];
  if (status === 401 || status === 403) return ['auth', false];
  if (status === 402) return ['billing', false];
  if (status === 429) return ['rate_limit', true];
  if (status === 503 || status === 529) return ['overloaded', true];
  return status >= 500 ? ['api', true] : ['invalid_request', false];
}
