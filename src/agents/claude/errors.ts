import type { AgentErrorType } from '../activity.ts';
import { textsFor } from './screen/texts.ts';

export interface Failure {
  readonly type: AgentErrorType;
  readonly recoverable: boolean;
}

/** `StopFailure.error` of 2.1.325. Recoverable: the same prompt may succeed later without a person's help. */
const FAILURES: Readonly<Record<string, Failure>> = {
  authentication_failed: { type: 'auth', recoverable: false },
  oauth_org_not_allowed: { type: 'auth', recoverable: false },
  account_on_hold: { type: 'auth', recoverable: false },
  verification_required: { type: 'auth', recoverable: false },
  cloud_credential_error: { type: 'auth', recoverable: false },
  billing_error: { type: 'billing', recoverable: false },
  rate_limit: { type: 'rate_limit', recoverable: true },
  overloaded: { type: 'overloaded', recoverable: true },
  invalid_request: { type: 'invalid_request', recoverable: false },
  model_not_found: { type: 'invalid_request', recoverable: false },
  max_output_tokens: { type: 'api', recoverable: true },
  server_error: { type: 'api', recoverable: true },
};

/** The message distinguishes network errors and 529, which come as `server_error`, and a full context, which comes as `invalid_request`. */
export function judgeClaudeFailure(code: string, message: string): Failure {
  const named = FAILURES[code] ?? { type: 'unknown', recoverable: true };
  const { errors } = textsFor(undefined);
  if (code === 'server_error') return errors.find(({ pattern, recoverable }) => recoverable && pattern.test(message)) ?? named;
  if (code === 'invalid_request') return errors.find(({ pattern, type }) => type === 'context_full' && pattern.test(message)) ?? named;
  return named;
}
