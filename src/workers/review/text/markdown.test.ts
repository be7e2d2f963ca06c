import { expect, test } from 'vitest';
import { markdownText } from './markdown.ts';

const lines = (text: string, columns = 40) => markdownText(text, { color: false, columns }).split('\n');

test('headings, lists, quotes, code and links are made readable and wrapped to the width', () => {
  const text = [
    '# Why the build is slow',
    '',
    'The **cache** is cold: `npm ci` runs in each job, see [the log](https://example.test/log).',
    '',
    '- first point that is longer than one line of it',
    '  1. inner',
    '> quoted words that are also longer than the width',
    '```ts',
    'const answer = 42; // a line of code that is longer than the width stays whole',
    '```',
    '---',
    '| a | b |',
  ].join('\n');
  expect(lines(text)).toEqual([
    '  Why the build is slow',
    '  ─────────────────────',
    '',
    '  The cache is cold: `npm ci` runs in',
    '  each job, see the log',
    '  (https://example.test/log).',
    '',
    '  • first point that is longer than one',
    '    line of it',
    '    1. inner',
    '  │ quoted words that are also longer',
    '  │ than the width',
    '    const answer = 42; // a line of code that is longer than the width stays whole',
    '  ──────────────────────────────────────',
    '  | a | b |',
  ]);
});

test('colours are those of llmc: escape sequences of an agent are shown as codes, and no line passes for one of llmc', () => {
  const text = markdownText('**bold** \u001b[31mred\u001b[0m `x`\n! forged\n\u202eback', { color: true, columns: 80 });
  expect(text.split('\n')).toEqual([
    '  \u001b[1mbold\u001b[22m <U+001B>[31mred<U+001B>[0m \u001b[36mx\u001b[39m',
    '  ! forged',
    '  <U+202E>back',
  ]);
});

test('without a terminal the text stays as it is', () => {
  expect(lines('# a **b**\n\n- c', Number.POSITIVE_INFINITY)).toEqual(['  # a **b**', '', '  - c']);
});

test.each([
  ['words', 'word '.repeat(200_000)],
  ['blanks', ' '.repeat(1_000_000)],
  ['brackets', '['.repeat(1_000_000)],
  ['lines', `${'*'.repeat(1_000)}\n`.repeat(1_000)],
  ['backticks', `${'`'.repeat(3_999)}\n`.repeat(250)],
  ['hashes', '#'.repeat(1_000_000)],
  ['a list', `${' '.repeat(3_000)}- x\n`.repeat(300)],
])('a megabyte of %s is read to its end', { timeout: 60_000 }, (_, text) => {
  markdownText(text, { color: true, columns: 80 });
});
