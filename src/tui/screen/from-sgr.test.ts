import { expect, test } from 'vitest';
import { hiddenIn } from '../../base/visible-text.ts';
import { lineFromSgr, linesFromSgr } from './from-sgr.ts';
import type { Style } from './line.ts';

const E = '\u001b';

test.each<[string, string, Style]>([
  ['bold', '1', { bold: true }],
  ['bold red on blue', '1;31;44', { bold: true, color: 'red', background: 'blue' }],
  ['dim, underlined, inverse', '2;4;7', { dim: true, underline: true, inverse: true }],
  ['bright black', '90', { color: 'gray' }],
  ['a bright background', '102', { background: 'green' }],
  ['white and black, which are the palette of the person', '37;40', {}],
  ['16 of the 256', '38;5;9', { color: 'red' }],
  ['the orange of Claude Code', '38;5;174', { color: 'red' }],
  ['the gray of Claude Code', '38;5;246', { color: 'gray' }],
  ['a light gray', '38;5;255', {}],
  ['16 million', '38;2;80;200;120', { color: 'green' }],
  ['16 million, then bold', '38;2;30;30;250;1', { color: 'blue', bold: true }],
  ['16 million with colons', '38:2::250:30:30', { color: 'red' }],
  ['16 million with a colour space', '48:2:1:250:250:30', { background: 'yellow' }],
  ['256 with colons', '38:5:5', { color: 'magenta' }],
  ['a curly underline', '4:3', { underline: true }],
  ['no underline', '4;4:0', {}],
  ['the colour of an underline, which is not shown', '58:2::1:2:3', {}],
  ['off again', '1;2;4;7;31;41;22;24;27;39;49', {}],
  ['a reset', '31;1;0', {}],
  ['an empty reset', '31;', {}],
  ['an unfinished colour', '38', {}],
  ['an unfinished colour of 256', '38;5', {}],
  ['numbers that nothing knows', '999;1000000000000000000000', {}],
  ['a setting of the keyboard', '>4;2', {}],
])('%s', (_, parameters, style) => {
  const { line } = lineFromSgr(`${E}[${parameters}mtext`);
  expect(line).toEqual([Object.keys(style).length === 0 ? { text: 'text' } : { text: 'text', style }]);
});

test.each([
  ['a clear of the screen', `a${E}[2J${E}[Hb`, 'ab'],
  ['a title', `a${E}]0;rm -rf${E}\\b`, 'ab'],
  ['a title that ends with a bell', `a${E}]0;rm -rf\u0007b`, 'ab'],
  ['a title without an end', `a${E}]0;rm -rf`, 'a'],
  ['a link', `${E}]8;;https://evil.example${E}\\text${E}]8;;${E}\\`, 'text'],
  ['the clipboard', `${E}]52;c;cm0gLXJm\u0007x`, 'x'],
  ['a device string', `${E}Pq#0${E}\\x`, 'x'],
  ['half a sequence', `x${E}[31`, 'x'],
  ['an escape alone', `x${E}`, 'x'],
  ['a reset of the terminal', `${E}cx`, 'x'],
  ['another set of characters', `${E}(0x`, 'x'],
  ['a question to the terminal', `${E}[6n${E}[cx`, 'x'],
  ['8-bit control', 'a\u009b31mb', 'a<U+009B>31mb'],
  ['text that is reordered', 'a\u202eb', 'a<U+202E>b'],
  ['a carriage return', 'a\rb', 'a<U+000D>b'],
  ['a tab', 'a\tb', 'a b'],
  ['line drawing', '\u000elqk\u000f lqk', '┌─┐ lqk'],
  ['wide characters', '漢字 👩‍👩‍👧', '漢字 👩‍👩‍👧'],
])('%s is not executed', (_, text, shown) => {
  expect(
    lineFromSgr(text)
      .line.map((span) => span.text)
      .join(''),
  ).toBe(shown);
});

test('a colour goes on in the next line', () => {
  expect(linesFromSgr([`${E}[31mone`, 'two', `${E}[0mthree`])).toEqual([
    [{ text: 'one', style: { color: 'red' } }],
    [{ text: 'two', style: { color: 'red' } }],
    [{ text: 'three' }],
  ]);
});

// A line that took the square of its length would reach the timeout.
test('no random bytes get through, and a long line ends', { timeout: 60_000 }, () => {
  const bytes = Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint((index * 7_919) % 300));
  const random = lineFromSgr(bytes.join('').replaceAll('\n', '')).line;
  expect(random.flatMap(({ text }) => hiddenIn(text))).toEqual([]);
  for (const part of [`${E}[`, `${E}]`, `${E}]8;;${E}\\`, `${E}[38;5;`, '\u000e', ' ']) lineFromSgr(part.repeat(100_000));
});
