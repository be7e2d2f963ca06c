import { expect, test } from 'vitest';
import { landingOrder } from './landing-order.ts';

type Pairs = readonly (readonly [string, string])[];

test.each<[string, string, Pairs, string]>([
  ['nothing conflicts: as they came', 'abc', [], 'abc'],
  [
    'one that conflicts with all others comes last',
    'abcd',
    [
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'd'],
    ],
    'bcda',
  ],
  ['of two that conflict, the one that came first', 'ab', [['b', 'a']], 'ab'],
  [
    'a chain: every second one',
    'abcde',
    [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
      ['d', 'e'],
    ],
    'acebd',
  ],
  ['nobody', '', [], ''],
])('%s', (_, names, clashes, expected) => {
  expect(landingOrder([...names], clashes).join('')).toBe(expected);
});
