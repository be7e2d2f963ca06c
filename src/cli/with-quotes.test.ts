import { expect, test } from 'vitest';
import { VERBS } from './verbs.ts';
import { textBegins, withQuotes } from './with-quotes.ts';

test.each([
  ['start Fix the typo', 'Fix the typo', "llmc start 'Fix the typo'"],
  ['start --worker Fix Fix the typo --wait', 'Fix the typo', "llmc start --worker Fix 'Fix the typo' --wait"],
  ['start Fix it --var a=b', 'Fix it', "llmc start 'Fix it' --var a=b"],
  ['--root /trial message adam Use it', 'adam Use it', "llmc --root /trial message adam 'Use it'"],
  ['message adam --now it is it', 'adam it is it', "llmc message adam --now 'it is it'"],
  ['reject Say it', 'Say it', "llmc reject 'Say it'"],
  ['review adam baker', 'adam baker', undefined],
  ['start Fix', 'Fix', undefined],
])('%s', (line, operands, expected) => {
  const argv = line.split(' ');
  const verb = VERBS.find(({ name }) => argv.includes(name));
  const from = verb && textBegins(verb);
  expect(from === undefined ? undefined : withQuotes(from, argv, operands.split(' '))).toBe(expected);
});

test('a worker in front of the task stays outside of the quotes', () => {
  expect(withQuotes(1, ['start', 'adam', 'Fix', 'it', '--wait'], ['adam', 'Fix', 'it'])).toBe("llmc start adam 'Fix it' --wait");
});
