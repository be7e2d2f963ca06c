import { expect, test } from 'vitest';
import { readItems } from './read-items.ts';

const BY_ID = { of: 'inputs.list', key: 'id', after: 'after' };
const BY_NUMBER = { of: 'inputs.list', key: undefined, after: undefined };
const problems = (list: unknown, by: Parameters<typeof readItems>[0] = BY_ID) => {
  const read = readItems(by, list);
  return read.kind === 'wrong' ? read.problems : read.items.map(({ key }) => key);
};

test('items are named by their field, or by their number', () => {
  expect(problems([{ id: 's1' }, { id: 2 }, { id: '7.5' }])).toEqual(['s1', '2', '7.5']);
  expect(problems(['a', 'b'], BY_NUMBER)).toEqual(['1', '2']);
  expect(problems([])).toEqual([]);
});

test('items that wait for others know their keys', () => {
  const read = readItems(BY_ID, [{ id: 's1' }, { id: 's2', after: 's1' }, { id: 's3', after: ['s1', 's2', 's1'] }]);
  expect(read.kind === 'items' && read.items.map(({ after }) => after)).toEqual([[], ['s1'], ['s1', 's2']]);
});

test.each([
  ['no list', { a: 1 }, ['inputs.list is not a list']],
  ['nothing', undefined, ['inputs.list is not a list']],
  ['a missing key', [{ id: 's1' }, { title: 'b' }, 'text', null], ['item 2 has no "id"', 'item 3 has no "id"', 'item 4 has no "id"']],
  ['a field of a prototype', [{}], ['item 1 has no "id"']],
  ['the same key twice', [{ id: 's1' }, { id: 's2' }, { id: 's1' }], ['items 1 and 3 have the same key "s1"']],
  ['keys that differ in case', [{ id: 'S1' }, { id: 's1' }], ['items 1 and 2 have the same key "s1", apart from upper and lower case']],
  [
    'an item that is not there',
    [{ id: 'intro' }, { id: 's2', after: ['intor'] }],
    ['s2 waits for "intor", which is not in the list; did you mean "intro"?'],
  ],
  ['something else than keys', [{ id: 's1', after: { a: 1 } }], ['s1: after is not a list of keys']],
  ['an item that waits for itself', [{ id: 's1', after: 's1' }], ['these items wait for each other: s1, s1']],
  [
    'a circle',
    [
      { id: 'a', after: 'c' },
      { id: 'b', after: 'a' },
      { id: 'c', after: 'b' },
    ],
    ['these items wait for each other: a, c, b, a'],
  ],
])('a list with %s is refused', (_, list, expected) => {
  expect(problems(list)).toEqual(expected);
});

test.each(['', '.', '..', '../up', 'a/b', 'a..b', '-x', 'x.', 'x.lock', 'a b', 'a\nb', '\u001b[31m', '$(id)', '‮evil', 'ä', 'x'.repeat(65)])(
  'the key %j is refused: it would become a part of names of files and refs',
  (id) => {
    const [only, ...more] = problems([{ id }]);
    expect(more).toEqual([]);
    expect(only).toMatch(/^item 1: id is ".*", expected up to 64 of/s);
    expect(only).not.toMatch(/[\u0000-\u001f\u202e]/);
  },
);

test('a list that nobody can mean is refused, with a few of its problems', () => {
  expect(problems(Array.from({ length: 1_001 }, () => 1))).toEqual(['inputs.list has 1001 items, expected at most 1000']);
  const many = problems(Array.from({ length: 50 }, () => ({ id: '/' })));
  expect(many).toHaveLength(11);
  expect(many.at(-1)).toBe('and 40 more problems');
});

test('a chain of all items is followed without a deep stack', () => {
  const chain = Array.from({ length: 1_000 }, (_, index) => ({ id: `s${index}`, ...(index > 0 && { after: `s${index - 1}` }) }));
  expect(readItems(BY_ID, chain).kind).toBe('items');
});
