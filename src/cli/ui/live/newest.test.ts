import { expect, test } from 'vitest';
import { newest } from './newest.ts';

interface Item {
  readonly kind: 'status' | 'lost';
  readonly number: number;
}

async function all(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}

const never = new AbortController().signal;

test('a reader that was busy gets the newest item, not each one', async () => {
  const items = newest<Item>(async (post) => {
    for (let number = 1; number <= 100; number += 1) post({ kind: 'status', number });
  }, never);
  expect(await all(items)).toEqual([{ kind: 'status', number: 100 }]);
});

test('an item of another kind is not skipped, and a reader far behind gets the last ones', async () => {
  const items = newest<Item>(async (post) => {
    for (let number = 1; number <= 9; number += 1) post({ kind: number % 2 === 0 ? 'status' : 'lost', number });
  }, never);
  expect((await all(items)).map(({ number }) => number)).toEqual([6, 7, 8, 9]);
});

test('a failure is thrown after what was posted before it', async () => {
  const items = newest<Item>(async (post) => {
    post({ kind: 'lost', number: 1 });
    throw new Error('the root is gone');
  }, never);
  expect(await items.next()).toEqual({ done: false, value: { kind: 'lost', number: 1 } });
  await expect(items.next()).rejects.toThrow('the root is gone');
});

test('a reader that leaves ends the producer', async () => {
  const ended = Promise.withResolvers<void>();
  const items = newest<Item>(async (post, signal) => {
    signal.addEventListener('abort', () => ended.resolve());
    post({ kind: 'status', number: 1 });
    await ended.promise;
  }, never);
  await items.next();
  await items.return();
  await ended.promise;
});
