import { expect, test } from 'vitest';
import type { SearchHit } from '../../workers/search/search-root.ts';
import type { Display } from '../shell.ts';
import { searchText } from './search-text.ts';

const NOW = 1_000_000_000;
const PLAIN: Display = { color: false, columns: 60, atRoot: (text) => text };
const hit = (fields: Partial<SearchHit>): SearchHit => ({
  kind: 'answer',
  at_ms: NOW - 120_000,
  worker: 'adam',
  task: 7,
  text: 'The parser is fixed',
  marks: [[4, 10]],
  ...fields,
});

test('one line per hit, in columns, with the words marked', () => {
  const hits = [hit({}), hit({ kind: 'log', at_ms: NOW - 7_200_000, worker: null, task: null, text: 'parser', marks: [[0, 6]] })];
  expect(searchText({ hits, more: true }, ['parser'], NOW, PLAIN).split('\n')).toEqual([
    '2m  answer  adam task 7  The «parser» is fixed',
    '2h  log                  «parser»',
    'There are older ones: add --limit 100, or another word.',
  ]);
});

test('a long line is cut to the screen, also in the middle of a mark, and with colours nothing is added to its width', () => {
  const long = hit({
    text: `The ${'parser '.repeat(20)}`.trim(),
    marks: Array.from({ length: 20 }, (_, index) => [4 + index * 7, 10 + index * 7] as const),
  });
  const [plain = ''] = searchText({ hits: [long], more: false }, ['parser'], NOW, PLAIN).split('\n');
  expect(plain.length).toBeLessThanOrEqual(90);
  const coloured = searchText({ hits: [long], more: false }, ['parser'], NOW, { ...PLAIN, color: true });
  expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe('2m  answer  adam task 7  The parser parser parser parser pa…');
});

test('nothing found is said in words', () => {
  expect(searchText({ hits: [], more: false }, ['a\u001b', 'b'], NOW, PLAIN)).toBe('Nothing was found for “a<U+001B>” and “b”.');
});
