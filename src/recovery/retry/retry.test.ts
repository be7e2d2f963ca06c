import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.ts';
import { DEFAULT_RETRY, isRetryable, RETRY_TABLE, type RetryOperation, type RetrySettings, retryDelayMs, retryTable } from './retry.ts';

/** The table of retry settings. */
test.each<readonly [RetryOperation | 'default', number, number, number, number, number]>([
  // operation, retries, first delay, longest delay, multiplier, jitter
  ['default', 3, 1_000, 30_000, 2, 0.2],
  ['agentSpawn', 2, 2_000, 30_000, 2, 0.2],
  ['messageSend', 5, 500, 30_000, 2, 0.2],
  ['databaseWrite', 3, 100, 30_000, 2, 0.2],
  ['rateLimited', 5, 5_000, 60_000, 2, 0.2],
])(
  '%s: %i retries from %i ms, at most %i ms, times %i, jitter %f',
  (name, maxRetries, initialDelayMs, maxDelayMs, backoffMultiplier, jitter) => {
    expect(RETRY_TABLE[name]).toEqual({
      maxRetries,
      initialDelayMs,
      maxDelayMs,
      backoffMultiplier,
      jitter,
      retryableErrors: DEFAULT_RETRY.retryableErrors,
    });
  },
);

test('figures of an operation win over general ones, and those over the default', () => {
  const table = retryTable({ maxRetries: 9, backoffMultiplier: 3 }, { agentSpawn: { maxRetries: 1 } });
  expect(table.default).toMatchObject({ maxRetries: 9, backoffMultiplier: 3, initialDelayMs: 1_000 });
  expect(table.messageSend).toMatchObject({ maxRetries: 5, backoffMultiplier: 3 });
  expect(table.agentSpawn).toMatchObject({ maxRetries: 1, initialDelayMs: 2_000 });
});

describe('the delay', () => {
  test.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [4, 8_000],
    [6, 30_000],
    [2_000, 30_000],
  ])('after attempt %i is %i ms without chance, and a fifth longer with all of it', (attempt, ms) => {
    expect(retryDelayMs(attempt, DEFAULT_RETRY, 0)).toBe(ms);
    expect(retryDelayMs(attempt, DEFAULT_RETRY, 1)).toBe(ms * 1.2);
  });

  const settings: fc.Arbitrary<RetrySettings> = fc.record({
    maxRetries: fc.nat(100),
    initialDelayMs: fc.nat(3_600_000),
    maxDelayMs: fc.nat(3_600_000),
    backoffMultiplier: fc.double({ min: 1, max: 10, noNaN: true }),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    retryableErrors: fc.constant([]),
  });
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  const attempt = fc.integer({ min: 1, max: 10_000 });

  test('is never shorter than planned, never longer than planned plus jitter, and never above the cap plus jitter', () => {
    fc.assert(
      fc.property(settings, attempt, chance, (given, nth, dice) => {
        const { initialDelayMs, maxDelayMs, jitter, backoffMultiplier } = given;
        const grown = initialDelayMs === 0 ? 0 : initialDelayMs * backoffMultiplier ** (nth - 1);
        const planned = Math.min(grown, maxDelayMs);
        const delay = retryDelayMs(nth, given, dice);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(Math.floor(planned));
        expect(delay).toBeLessThanOrEqual(Math.ceil(planned * (1 + jitter)));
        expect(delay).toBeLessThanOrEqual(Math.ceil(maxDelayMs * (1 + jitter)));
      }),
    );
  });

  test('does not fall from one attempt to the next', () => {
    fc.assert(
      fc.property(settings, attempt, chance, (given, nth, dice) => {
        expect(retryDelayMs(nth + 1, given, dice)).toBeGreaterThanOrEqual(retryDelayMs(nth, given, dice));
      }),
    );
  });
});

test('the errors that are tried again', () => {
  const codes = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => code in ERROR_CODES);
  expect(codes.filter((code) => isRetryable({ code }, DEFAULT_RETRY)).toSorted()).toEqual([
    'AGENT_CRASHED',
    'AGENT_SPAWN_FAILED',
    'AGENT_TIMEOUT',
    'DATABASE_ERROR',
    'GIT_WORKTREE_FAILED',
    'NETWORK_ERROR',
    'RATE_LIMITED',
    'TMUX_SESSION_FAILED',
  ]);
});
