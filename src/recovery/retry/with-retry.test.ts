import { describe, expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import type { Clock, Random } from '../../base/ports.ts';
import { DEFAULT_RETRY } from './retry.ts';
import { valueOrThrow, withRetry } from './with-retry.ts';

/** A clock that only a wait moves. */
class WaitingClock implements Clock {
  at = 1_000;
  readonly waits: number[] = [];
  /** Called in the middle of each wait. */
  during: () => void = () => undefined;

  now(): number {
    return this.at;
  }

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    this.waits.push(ms);
    this.at += ms / 2;
    this.during();
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    this.at += ms / 2;
    return Promise.resolve();
  };
}

const random: Random = { next: () => 0, id: () => 'id' };
const network = () => new LlmcError('NETWORK_ERROR', 'no route');

function failing(times: number, error: () => unknown = network): () => Promise<string> {
  let left = times;
  return () => {
    left -= 1;
    return left >= 0 ? Promise.reject(error()) : Promise.resolve('value');
  };
}

function options(clock: Clock) {
  return { operation: 'send', settings: DEFAULT_RETRY, clock, random };
}

describe('an operation', () => {
  test('that succeeds is performed once', async () => {
    const clock = new WaitingClock();
    expect(await withRetry(failing(0), options(clock))).toEqual({ kind: 'done', value: 'value', attempts: 1, totalMs: 0, errors: [] });
    expect(clock.waits).toEqual([]);
  });

  test('that fails twice is performed three times, and each failure is recorded', async () => {
    const clock = new WaitingClock();
    const heard: number[] = [];
    const retried = await withRetry(failing(2), { ...options(clock), onRetry: (_error, delayMs) => heard.push(delayMs) });
    expect(retried).toMatchObject({ kind: 'done', value: 'value', attempts: 3, totalMs: 3_000 });
    expect(retried.errors).toMatchObject([
      { code: 'NETWORK_ERROR', component: 'send', retries: 0, at: 1_000 },
      { code: 'NETWORK_ERROR', component: 'send', retries: 1, at: 2_000 },
    ]);
    expect([clock.waits, heard]).toEqual([
      [1_000, 2_000],
      [1_000, 2_000],
    ]);
  });

  test('that never succeeds fails after its retries, with what it threw last', async () => {
    const clock = new WaitingClock();
    const retried = await withRetry(failing(99), options(clock));
    expect(retried).toMatchObject({ kind: 'failed', attempts: 4, totalMs: 7_000, thrown: { code: 'NETWORK_ERROR' } });
    expect(retried.errors).toHaveLength(4);
    expect(() => valueOrThrow(retried)).toThrow('no route');
  });

  test('whose error cannot pass is performed once', async () => {
    const clock = new WaitingClock();
    const refused = () => new LlmcError('PERMISSION_DENIED', 'no');
    expect(await withRetry(failing(1, refused), options(clock))).toMatchObject({ kind: 'failed', attempts: 1 });
    expect(clock.waits).toEqual([]);
  });

  test('knows its attempt, and why the ones before failed', async () => {
    const seen: unknown[] = [];
    const perform = failing(1);
    await withRetry((context) => {
      seen.push([context.attempt, context.maxAttempts, context.errors.length, context.startedAt]);
      return perform();
    }, options(new WaitingClock()));
    expect(seen).toEqual([
      [1, 4, 0, 1_000],
      [2, 4, 1, 1_000],
    ]);
  });
});

describe('a signal', () => {
  test('before the first attempt: nothing is performed', async () => {
    const retried = await withRetry(failing(0), options(new WaitingClock()), AbortSignal.abort('stop'));
    expect(retried).toMatchObject({ kind: 'cancelled', attempts: 0, thrown: 'stop' });
  });

  test('during a wait ends the wait', async () => {
    const clock = new WaitingClock();
    const stop = new AbortController();
    clock.during = () => stop.abort('stop');
    expect(await withRetry(failing(9), options(clock), stop.signal)).toMatchObject({ kind: 'cancelled', attempts: 1, totalMs: 500 });
  });

  test('during an attempt that fails: no further one', async () => {
    const clock = new WaitingClock();
    const stop = new AbortController();
    const perform = () => {
      stop.abort('stop');
      return Promise.reject(network());
    };
    expect(await withRetry(perform, options(clock), stop.signal)).toMatchObject({ kind: 'cancelled', attempts: 1 });
    expect(clock.waits).toEqual([]);
  });

  test('during an attempt that succeeds: its value counts', async () => {
    const stop = new AbortController();
    const perform = () => {
      stop.abort('stop');
      return Promise.resolve('value');
    };
    expect(valueOrThrow(await withRetry(perform, options(new WaitingClock()), stop.signal))).toBe('value');
  });
});
