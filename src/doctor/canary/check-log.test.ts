import { expect, test } from 'vitest';
import { Book } from './check-log.ts';

/** Time passes only while somebody sleeps. */
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

test('a question is asked until it is answered, or time is up; the book has them in their order', async () => {
  const book = new Book(clockFrom(0), new AbortController().signal);
  let looks = 0;
  const third = async () => (++looks === 3 ? { passed: 'seen \u001b[31mred' } : undefined);
  expect(await book.ask('ready', 1_000, third, async () => 'never')).toBe(true);
  expect(
    await book.ask(
      'busy',
      1_000,
      async () => ({ failed: 'gone' }),
      async () => 'never',
    ),
  ).toBe(false);
  expect(
    await book.ask(
      'exit',
      1_000,
      async () => undefined,
      async () => 'x'.repeat(900),
    ),
  ).toBe(false);
  book.skip(['record'], 'why');
  expect(book.checks).toEqual([
    { name: 'ready', verdict: 'passed', evidence: 'seen red', took_ms: 100 },
    { name: 'busy', verdict: 'failed', evidence: 'gone', took_ms: 0 },
    { name: 'record', verdict: 'not_tried', evidence: 'why', took_ms: 0 },
    { name: 'exit', verdict: 'failed', evidence: expect.stringMatching(/^not within 1 s: x+$/), took_ms: 1_000 },
  ]);
  expect(book.checks[3]?.evidence.length).toBe(400);
});

test('an interruption ends it', async () => {
  const stop = new AbortController();
  const book = new Book(clockFrom(0), stop.signal);
  stop.abort(new Error('stop'));
  await expect(
    book.ask(
      'ready',
      1_000,
      async () => undefined,
      async () => '',
    ),
  ).rejects.toThrow('stop');
  expect(book.checks).toEqual([]);
});
