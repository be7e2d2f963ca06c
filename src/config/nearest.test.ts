import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistance, nearest } from './nearest.ts';

const KEYS = ['model', 'skip_permissions', 'allowed_tools', 'role_prompt', 'sound_on_review'];

describe('the nearest known key', () => {
  test.each([
    ['modle', 'model'],
    ['skipPermissions', 'skip_permissions'],
    ['SKIP-PERMISSIONS', 'skip_permissions'],
    ['allow_tools', 'allowed_tools'],
    ['role_promt', 'role_prompt'],
    ['soundonreview', 'sound_on_review'],
  ])('%s was meant to be %s', (typo, key) => {
    expect(nearest(typo, KEYS)).toBe(key);
  });

  test.each(['', 'x', 'colour', 'timeout'])('%j resembles none', (word) => {
    expect(nearest(word, KEYS)).toBeUndefined();
  });
});

describe('edit distance', () => {
  test.each([
    ['', '', 0],
    ['abc', '', 3],
    ['abc', 'acb', 1],
    ['kitten', 'sitting', 3],
  ])('from %j to %j is %i', (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance);
  });

  test('is the same in both directions and zero only between equals', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(editDistance(left, right)).toBe(editDistance(right, left));
        expect(editDistance(left, right) === 0).toBe(left === right);
      }),
    );
  });
});
