import { expect, test } from 'vitest';
import { afterFailedTurn, failedTurn } from './errors.ts';

const AT = new Date(2026, 10, 15, 6, 0).getTime();
const LATER = new Date(2026, 10, 15, 7, 26).getTime();
const http = (name: string, httpStatusCode: number | null) => ({ [name]: { httpStatusCode } });

test.each<[message: string, info: unknown, type: string, recoverable: boolean]>([
  ['You’ve hit your usage limit. Upgrade or try again at 7:26 AM.', 'usageLimitExceeded', 'rate_limit', true],
  ['Quota exceeded. Check your plan and billing details.', 'usageLimitExceeded', 'billing', false],
  ['rate limit exceeded: Please try again in 1s', 'rateLimitExceeded', 'rate_limit', true],
  ['exceeded retry limit, last status: 429 Too Many Requests', http('responseTooManyFailedAttempts', 429), 'rate_limit', true],
  ['unexpected status 401 Unauthorized: bad key', http('httpConnectionFailed', 401), 'auth', false],
  ['unexpected status 403 Forbidden', http('httpConnectionFailed', 403), 'auth', false],
  ['unexpected status 404 Not Found', http('httpConnectionFailed', 404), 'invalid_request', false],
  ['unexpected status 502', http('responseStreamConnectionFailed', 502), 'api', true],
  ['gone', http('responseStreamDisconnected', null), 'network', true],
  ['We’re currently experiencing high demand, which may cause temporary errors.', 'internalServerError', 'api', true],
  ['Selected model is at capacity. Please try a different model.', 'serverOverloaded', 'overloaded', true],
  ["Codex ran out of room in the model's context window.", 'contextWindowExceeded', 'context_full', false],
  ['stream disconnected before completion: idle timeout waiting for SSE', 'other', 'network', true],
  ['{"error":{"message":"bad thing"}}', 'other', 'invalid_request', false],
  ['Missing environment variable: `OPENAI_API_KEY`.', 'other', 'auth', false],
  ['something new', 'brandNew', 'unknown', true],
  ['something new', { brandNew: { httpStatusCode: 500 } }, 'unknown', true],
  ['something new', 7, 'unknown', true],
])('%s (%j)', (message, codexErrorInfo, type, recoverable) => {
  expect(failedTurn({ message, codexErrorInfo }, AT, null)).toMatchObject({ kind: 'turn_failed', type, recoverable, message });
});

test('the end of a limit is the server’s time in seconds, otherwise the time in its message', () => {
  const limit = (message: string, ends: number | null) => failedTurn({ message, codexErrorInfo: 'usageLimitExceeded' }, AT, ends);
  expect(limit('try again at 7:26 AM.', LATER + 17_000).resetsAt).toBe(LATER + 17_000);
  expect(limit('try again at 7:26 AM.', null).resetsAt).toBe(LATER);
  expect(limit('or try again later.', null).resetsAt).toBeNull();
  const failed = failedTurn({ message: 'try again at 7:26 AM.', codexErrorInfo: 'usageLimitExceeded' }, AT, LATER + 42_000);
  expect(failed.resetsAt, 'the second of the minute').toBe(LATER + 42_000);
  expect(failedTurn({ message: 'x', codexErrorInfo: 'serverOverloaded' }, AT, AT + 1_000).resetsAt).toBeNull();
});

test('a failed turn without a text still has a message', () => {
  expect(failedTurn(null, AT, null)).toMatchObject({ type: 'unknown', message: expect.stringMatching(/does not say why/) });
  expect(failedTurn({ message: ' ' }, AT, null).message).toMatch(/does not say why/);
});

test('after a failure the agent waits for the end of the limit, or shows the error', () => {
  const waits = failedTurn({ message: 'try again at 7:26 AM.', codexErrorInfo: 'usageLimitExceeded' }, AT, null);
  expect(afterFailedTurn(waits)).toEqual({ kind: 'waiting_limit', resetsAt: LATER, continuesByItself: false });
  const failed = failedTurn({ message: 'm', codexErrorInfo: 'unauthorized' }, AT, null);
  expect(afterFailedTurn(failed)).toEqual({ kind: 'error', type: 'auth', recoverable: false, message: 'm' });
});
