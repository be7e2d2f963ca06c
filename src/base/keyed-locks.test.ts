import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyedLocks } from './keyed-locks.ts';

describe('a keyed lock', () => {
  test('work under one key runs in the order of the calls, and never overlaps', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ key: fc.constantFrom('adam', 'eve'), fails: fc.boolean() })),
        fc.scheduler(),
        async (jobs, s) => {
          const locks = new KeyedLocks();
          const inside = new Map<string, number>();
          const began: { key: string; index: number }[] = [];
          const all = jobs.map(({ key, fails }, index) =>
            locks.withLock(key, async () => {
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
            expect(locks.isLocked(key)).toBe(false);
          }
        },
      ),
    );
  });

  test('a key is locked from the call until its work is done', async () => {
    const locks = new KeyedLocks();
    const work = Promise.withResolvers<void>();
    const done = locks.withLock('adam', () => work.promise);
    expect(locks.isLocked('adam')).toBe(true);
    expect(locks.isLocked('eve')).toBe(false);
    work.resolve();
    await done;
    expect(locks.isLocked('adam')).toBe(false);
  });

  test('one key does not wait for another', async () => {
    const locks = new KeyedLocks();
    const blocked = Promise.withResolvers<void>();
    const first = locks.withLock('adam', () => blocked.promise);
    expect(await locks.withLock('eve', async () => 'through')).toBe('through');
    blocked.resolve();
    await first;
  });
});
