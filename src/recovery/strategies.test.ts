import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../base/error-codes.ts';
import { retryTable } from './retry/retry.ts';
import { chooseStrategy, STRATEGIES, STRATEGY_POLICY, STRATEGY_ROWS, type Strategy, type StrategyPolicy } from './strategies.ts';

const view = { code: 'AGENT_CRASHED', before: 0, total: 0, sinceLastMs: null, chance: 0 } as const;

/** What follows the first, the second, … failure with a code, when enough time lies between them. */
function sequence(code: ErrorCode, failures: number, policy: Partial<StrategyPolicy> = {}): readonly string[] {
  return Array.from({ length: failures }, (_, before) => {
    const { strategy, delayMs, actions } = chooseStrategy(
      { ...view, code, before, sinceLastMs: 60_000 },
      { ...STRATEGY_POLICY, ...policy },
    );
    return [strategy, ...(delayMs > 0 ? [`${delayMs} ms`] : []), ...actions].join(' ');
  });
}

describe('the table of strategies', () => {
  test.each<readonly [ErrorCode, readonly string[]]>([
    ['AGENT_TIMEOUT', ['retry nudge', 'retry nudge', 'restart', 'ask']],
    ['AGENT_CRASHED', ['restart 2000 ms end_session', 'substitute']],
    ['AGENT_SPAWN_FAILED', ['restart 2000 ms end_session', 'restart 4000 ms end_session', 'substitute', 'ask']],
    ['AGENT_NOT_FOUND', ['substitute']],
    ['AGENT_UNUSABLE', ['substitute']],
    ['DELIVERY_FAILED', ['restart end_session', 'substitute']],
    ['AGENT_INVALID_OUTPUT', ['retry say_problems', 'retry say_problems', 'ask', 'ask']],
    ['RATE_LIMITED', ['retry 5000 ms', 'retry 10000 ms', 'retry 20000 ms', 'retry 40000 ms', 'retry 60000 ms', 'abort', 'abort']],
    ['CLAUDE_API_ERROR', ['60000', '120000', '240000', '480000', '960000', '1800000'].map((delay) => `retry ${delay} ms`).concat('ask')],
    ['MAX_ITERATIONS', ['skip mark_partial', 'skip mark_partial']],
    ['TMUX_SESSION_FAILED', ['retry 1000 ms end_session', 'retry 1000 ms end_session', 'abort']],
    ['GIT_WORKTREE_FAILED', ['retry', 'retry', 'abort']],
    ['BUDGET_SPENT', ['ask']],
    ['DATABASE_ERROR', ['retry 100 ms', 'retry 200 ms', 'retry 400 ms', 'ask']],
  ])('%s: %j', (code, strategies) => {
    expect(sequence(code, strategies.length)).toEqual(strategies);
  });

  test('a code without a row is tried again if it may pass, else a person is asked', () => {
    expect(sequence('GIT_FAILED', 4)).toEqual(['retry 1000 ms', 'retry 2000 ms', 'retry 4000 ms', 'ask']);
    expect(sequence('PERMISSION_DENIED', 1)).toEqual(['ask']);
  });

  test('a code that the configuration names is tried again', () => {
    const retry = retryTable({ retryableErrors: ['PERMISSION_DENIED'] });
    expect(sequence('PERMISSION_DENIED', 4, { retry })).toEqual(['retry 1000 ms', 'retry 2000 ms', 'retry 4000 ms', 'ask']);
  });

  test('a run that may keep nothing partial asks a person after the last round of a review', () => {
    expect(sequence('MAX_ITERATIONS', 1, { allowPartial: false })).toEqual(['ask']);
  });

  test('every action of a row comes with a strategy that the row can lead to', () => {
    const named = new Set(STRATEGY_ROWS.flatMap(({ code, actions }) => actions.map((action) => `${code} ${action}`)));
    const chosen = new Set(
      STRATEGY_ROWS.flatMap(({ code }) =>
        Array.from({ length: 10 }, (_, before) => chooseStrategy({ ...view, code, before }).actions.map((action) => `${code} ${action}`)),
      ).flat(),
    );
    expect([...named].filter((each) => !chosen.has(each))).toEqual([]);
  });

  test('every strategy but rollback, whose stage only a workflow file can name, is in a row', () => {
    const used = new Set<Strategy>(
      STRATEGY_ROWS.flatMap(({ strategy, fallback }) => (fallback === null ? [strategy] : [strategy, fallback])),
    );
    expect(STRATEGIES.filter((strategy) => !used.has(strategy))).toEqual(['rollback']);
  });
});

describe('a role with a fallback', () => {
  const following = (code: ErrorCode, before: number) => chooseStrategy({ ...view, code, before, sinceLastMs: 60_000, hasFallback: true });

  test('has it at once after a usage limit, and after the second failure of the service', () => {
    expect(following('RATE_LIMITED', 0)).toMatchObject({ strategy: 'substitute', delayMs: 0 });
    expect([0, 1].map((before) => following('CLAUDE_API_ERROR', before).strategy)).toEqual(['retry', 'substitute']);
    expect([0, 1].map((before) => following('NETWORK_ERROR', before).strategy)).toEqual(['retry', 'substitute']);
  });

  test('keeps its agent after other failures, as long as that has tries', () => {
    expect(following('AGENT_TIMEOUT', 1).strategy).toBe('retry');
    expect(following('AGENT_INVALID_OUTPUT', 2).strategy).toBe('ask');
  });
});

describe('limits', () => {
  const limits = { perError: 1, inTotal: 10, coolDownMs: 5_000 };

  test('3 recoveries per error, fewer if configured', () => {
    expect(sequence('AGENT_TIMEOUT', 2, { limits })).toEqual(['retry nudge', 'ask']);
    expect(sequence('TMUX_SESSION_FAILED', 2, { limits })).toEqual(['retry 1000 ms end_session', 'abort']);
  });

  test('an operation with figures of its own has those', () => {
    expect(sequence('GIT_FAILED', 2, { retry: retryTable({ maxRetries: 1 }) })).toEqual(['retry 1000 ms', 'ask']);
    expect(sequence('RATE_LIMITED', 3, { limits, retry: retryTable({}, { rateLimited: { maxRetries: 2 } }) })).toEqual([
      'retry 5000 ms',
      'retry 10000 ms',
      'abort',
    ]);
  });

  test('10 recoveries in total', () => {
    expect(chooseStrategy({ ...view, total: 9 })).toMatchObject({ strategy: 'restart' });
    expect(chooseStrategy({ ...view, total: 10 })).toMatchObject({ strategy: 'ask', why: 'the run recovered 10 times, its limit' });
    // What ends the matter needs no recovery.
    expect(chooseStrategy({ ...view, code: 'MAX_ITERATIONS', total: 10 })).toMatchObject({ strategy: 'skip' });
  });

  test.each([
    [null, 0],
    [0, 5_000],
    [4_000, 1_000],
    [5_000, 0],
    [9_000, 0],
  ])('cool-down: %s ms after the last recovery waits %i ms', (sinceLastMs, delayMs) => {
    expect(chooseStrategy({ ...view, code: 'AGENT_TIMEOUT', sinceLastMs })).toMatchObject({ strategy: 'retry', delayMs });
  });

  test('chance lengthens a wait by a fifth at most', () => {
    expect(chooseStrategy({ ...view, code: 'AGENT_SPAWN_FAILED', chance: 1 })).toMatchObject({ delayMs: 2_400 });
  });
});
