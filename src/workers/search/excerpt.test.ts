import { expect, test } from 'vitest';
import { makeExcerpt } from './excerpt.ts';

/** The excerpt with its marks in brackets. */
function marked(text: string, ...terms: string[]): string {
  const { text: shown, marks } = makeExcerpt(text, terms);
  return marks.toReversed().reduce((line, [from, to]) => `${line.slice(0, from)}[${line.slice(from, to)}]${line.slice(to)}`, shown);
}

test.each<[string, string, readonly string[], string]>([
  ['the only line', 'Fix the typo', ['typo'], 'Fix the [typo]'],
  ['the line of the term', 'one\n  two Three two\nfour', ['TWO'], '[two] Three [two]'],
  ['the first of several terms', 'a\nb x\nc y', ['y', 'x'], 'b [x]'],
  ['a term at the very beginning', 'typo here\nmore', ['typo'], '[typo] here'],
  ['letters that are not ASCII', 'Größe ÄNDERN', ['ändern'], 'Größe [ÄNDERN]'],
  ['what means something in a pattern', 'a.b* (c) a+b', ['a+b', '(c)'], 'a.b* [(c)] [a+b]'],
  ['what a terminal would execute', 'x\u001b[2J hit \u202e', ['hit'], 'x<U+001B>[2J [hit] <U+202E>'],
  ['nothing, if the term is not there', 'abc', ['z'], 'abc'],
])('shows %s', (_, text, terms, line) => {
  expect(marked(text, ...terms)).toBe(line);
});

test('a long line is cut around the term, and never inside a character', () => {
  for (let shift = 0; shift < 4; shift += 1) {
    const text = `${'x'.repeat(shift)}${'😀'.repeat(300)} hit ${'😀'.repeat(300)}`;
    const line = marked(text, 'hit');
    expect(line).toMatch(/^…(?:😀)+ \[hit\] (?:😀)+…$/u);
    expect(line.length).toBeLessThan(220);
  }
});
