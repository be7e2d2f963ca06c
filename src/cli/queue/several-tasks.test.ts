import { expect, test } from 'vitest';
import { splitTasks } from './several-tasks.ts';

test.each<[string, string, readonly string[]]>([
  ['a line of --- between them', 'one\n---\ntwo\r\n--- \r\nthree\n', ['one', 'two', 'three']],
  ['empty parts', '---\none\n\n---\n\n---\n', ['one']],
  ['other rules and tables', 'one\n----\n --- \n| --- |\n***\n', ['one\n----\n --- \n| --- |\n***']],
  ['a block of code with such a line', 'one\n```yaml\n---\na: 1\n```\n---\ntwo', ['one\n```yaml\n---\na: 1\n```', 'two']],
  ['a block that a longer fence closes', '~~~\n```\n---\n~~~~\n---\ntwo', ['~~~\n```\n---\n~~~~', 'two']],
])('splits at %s', (_, text, tasks) => {
  expect(splitTasks(text)).toEqual(tasks);
});

test('a fence that is never closed hides no task', () => {
  expect(splitTasks('one\n```\nx\n---\ntwo')).toEqual(['one\n```\nx', 'two']);
});
