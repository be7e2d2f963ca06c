import { expect, test } from 'vitest';
import { conflictsLeft } from './markers.ts';

const all = (lines: readonly string[]): ReadonlySet<number> => new Set(lines.keys());
const CONFLICT = ['<<<<<<< HEAD', 'a', '=======', 'b', '>>>>>>> 1234567 (work)'];

test.for([
  ['a whole conflict', ['x', ...CONFLICT, 'y'], [1]],
  ['two conflicts', [...CONFLICT, ...CONFLICT], [0, 5]],
  ['with the base between, and longer markers', ['<<<<<<<<< HEAD', 'a', '||||||||| base', 'o', '=========', 'b', '>>>>>>>>> x'], [0]],
  ['with carriage returns', CONFLICT.map((line) => `${line}\r`), [0]],
  ['no end', CONFLICT.slice(0, 4), []],
  ['no middle', ['<<<<<<< HEAD', 'a', '>>>>>>> x'], []],
  ['indented', CONFLICT.map((line) => ` ${line}`), []],
  ['a heading', ['Title', '======='], []],
] as const)('%s', ([, lines, expected]) => {
  expect(conflictsLeft(lines, all(lines))).toEqual(expected);
});

test('markers that a side has as text do not count', () => {
  expect(conflictsLeft(CONFLICT, new Set())).toEqual([]);
  expect(conflictsLeft(CONFLICT, new Set([0]))).toEqual([]);
});
