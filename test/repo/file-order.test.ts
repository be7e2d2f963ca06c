import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLongForItsSize, spread } from './file-order.ts';

test.each([
  ['a1 a2 a3 a4 b1 b2', 'a1 b1 a2 a3 b2 a4'],
  ['a1 b1 b2 b3', 'b1 a1 b2 b3'],
  ['a1 a2', 'a1 a2'],
  ['', ''],
])('the files of all folders take turns, each folder in its order: %s', (given, expected) => {
  const items = given.split(' ').filter((item) => item !== '');
  expect(spread(items, (item) => item.slice(0, 1)).join(' ')).toBe(expected);
});

test('the files that are named as long for their size are there', () => {
  const files = globSync('test/**/*.test.ts', { cwd: join(import.meta.dirname, '../..') });
  expect(files.filter(isLongForItsSize)).toHaveLength(10);
});
