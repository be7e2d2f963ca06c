import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseWorkerName } from '../config/worker-name.ts';
import { HANDS, KeyedMutex } from './keyed-mutex.ts';

describe('one hand at a time', () => {
  test('work under one key runs in the order it was asked for, and never overlaps', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ key: fc.constantFrom('adam', 'eve'), fails: fc.boolean() })),
        fc.scheduler(),
        async (jobs, s) => {
          const mutex = new KeyedMutex();
          const inside = new Map<string, number>();
          const began: { key: string; index: number }[] = [];
          const all = jobs.map(({ key, fails }, index) =>
            mutex.hold(key, async () => {
              began.push({ key, index });
              expect(inside.get(key)).toBeUndefined();
              inside.set(key, index);
              await s.schedule(Promise.resolve());
              inside.delete(key);
              if (fails) throw new Error(`job ${index}`);
              return index;
            }),
          );
          const settled = Promise.allSettled(all);
          await s.waitFor(settled);
          const results = await settled;
          expect(results.map(({ status }) => status)).toEqual(jobs.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')));
          for (const key of ['adam', 'eve']) {
            const order = began.filter((each) => each.key === key).map(({ index }) => index);
            expect(order).toEqual(order.toSorted((a, b) => a - b));
            expect(mutex.isHeld(key)).toBe(false);
          }
        },
      ),
    );
  });

  test('a key is held from the moment it is asked for until its work is done', async () => {
    const mutex = new KeyedMutex();
    const work = Promise.withResolvers<void>();
    const done = mutex.hold('adam', () => work.promise);
    expect(mutex.isHeld('adam')).toBe(true);
    expect(mutex.isHeld('eve')).toBe(false);
    work.resolve();
    await done;
    expect(mutex.isHeld('adam')).toBe(false);
  });

  test('one key does not wait for another', async () => {
    const mutex = new KeyedMutex();
    const blocked = Promise.withResolvers<void>();
    const first = mutex.hold('adam', () => blocked.promise);
    expect(await mutex.hold('eve', async () => 'through')).toBe('through');
    blocked.resolve();
    await first;
  });

  test.each(Object.values(HANDS))('no worker can be named "%s", so holding it and a worker at once never waits for itself', (key) => {
    expect(() => parseWorkerName(key)).toThrow(/not a usable worker name/);
  });
});
