import { expect, test } from 'vitest';
import { CheckLog } from './check-log.ts';

/** Time passes only during `sleep`. */
function clockFrom(start: number) {
  let now = start;
  return {
    now: () => now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      now += ms;
    },
  };
}

test('a check repeats until it settles or its time is over, and the log keeps the order of the questions', async () => {
  const log = new CheckLog(clockFrom(0), new AbortController().signal);
  let tries = 0;
  const third = async () => (++tries === 3 ? { passed: 'seen \u001b[31mred' } : undefined);
  expect(await log.ask('ready', 1_000, third, async () => 'never')).toBe(true);
  expect(
    await log.ask(
      'busy',
      1_000,
      async () => ({ failed: 'gone' }),
      async () => 'never',
    ),
  ).toBe(false);
  expect(
    await log.ask(
      'exit',
      1_000,
      async () => undefined,
      async () => 'x'.repeat(900),
    ),
  ).toBe(false);
  log.skip(['record'], 'why');
  expect(log.checks).toEqual([
    { name: 'ready', verdict: 'passed', evidence: 'seen <U+001B>[31mred', took_ms: 100 },
    { name: 'busy', verdict: 'failed', evidence: 'gone', took_ms: 0 },
    { name: 'record', verdict: 'not_tried', evidence: 'why', took_ms: 0 },
    { name: 'exit', verdict: 'failed', evidence: expect.stringMatching(/^not within 1 s: x+$/), took_ms: 1_000 },
  ]);
  expect(log.checks[3]?.evidence.length).toBe(400);
});

test('an abort ends the check', async () => {
  const stop = new AbortController();
  const log = new CheckLog(clockFrom(0), stop.signal);
  stop.abort(new Error('stop'));
  await expect(
    log.ask(
      'ready',
      1_000,
      async () => undefined,
      async () => '',
    ),
  ).rejects.toThrow('stop');
  expect(log.checks).toEqual([]);
});
