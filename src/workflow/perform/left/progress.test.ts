import { expect, test } from 'vitest';
import { readProgress } from './progress.ts';

test.each([
  ['done: 3\ntotal: 5\nnote: "tests\\u001b[31m"\n', { done: 3, total: 5, note: 'tests<U+001B>[31m' }],
  ['done: 0\ntotal: 5', { done: 0, total: 5, note: '' }],
  ['{"done": 7, "total": 5, "note": null}', { done: 7, total: 5, note: '' }],
  [`done: 1\ntotal: 2\nnote: ${'x'.repeat(300)}`, { done: 1, total: 2, note: 'x'.repeat(200) }],
  ['done: 1', null],
  ['done: -1\ntotal: 2', null],
  ['done: half\ntotal: 2', null],
  ['[', null],
  ['', null],
])('%j is %j', (text, progress) => {
  expect(readProgress(text)).toEqual(progress);
});
