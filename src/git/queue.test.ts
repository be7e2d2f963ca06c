import { expect, test } from 'vitest';
import { queueByKey } from './queue.ts';

test('work under one key is done in turn, under another key at once, and a failure stops no one', async () => {
  const inTurn = queueByKey();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inTurn('a', async () => {
    log.push('first begins');
    await gate.promise;
    log.push('first ends');
    throw new Error('first fails');
  });
  const second = inTurn('a', async () => log.push('second'));
  await inTurn('b', async () => log.push('other'));
  expect(log).toEqual(['first begins', 'other']);
  gate.resolve();
  await expect(first).rejects.toThrow('first fails');
  await second;
  expect(log).toEqual(['first begins', 'other', 'first ends', 'second']);
  expect(await inTurn('a', async () => 7)).toBe(7);
});
