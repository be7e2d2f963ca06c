import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffSequences } from './sequence-diff.ts';

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { maxLength: 30 });

test('the hunks turn the first sequence into the second, in order', () => {
  fc.assert(
    fc.property(words, words, fc.boolean(), (a, b, shortest) => {
      const rebuilt: string[] = [];
      let at = 0;
      for (const hunk of diffSequences(a, b, shortest)) {
        expect(hunk.aStart).toBeGreaterThanOrEqual(at);
        rebuilt.push(...a.slice(at, hunk.aStart), ...b.slice(hunk.bStart, hunk.bEnd));
        at = hunk.aEnd;
      }
      expect([...rebuilt, ...a.slice(at)]).toEqual(b);
    }),
  );
});

test('equal sequences have no hunk, and a unique line is an anchor', () => {
  expect(diffSequences(['a', 'b'], ['a', 'b'])).toEqual([]);
  expect(diffSequences(['x', 'x', 'key', 'y'], ['x', 'key', 'z', 'y'])).toEqual([
    { aStart: 1, aEnd: 2, bStart: 1, bEnd: 1 },
    { aStart: 3, aEnd: 3, bStart: 2, bEnd: 3 },
  ]);
});
