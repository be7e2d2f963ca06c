import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandLine, shellWord } from './shell-quote.ts';

test.each([
  ['adam', 'adam'],
  ['/home/you/llmc', '/home/you/llmc'],
  ['', "''"],
  ['Make the tests pass', "'Make the tests pass'"],
  ['Make `npm test` pass', "'Make `npm test` pass'"],
  ['$(rm -rf ~)', "'$(rm -rf ~)'"],
  ["it's", "'it'\\''s'"],
])('%s becomes the shell word %s', (text, expected) => {
  expect(shellWord(text)).toBe(expected);
});

test('a command line keeps its words apart', () => {
  expect(commandLine('llmc', 'reject', '--worker', 'adam', 'Make `npm test` pass')).toBe(
    "llmc reject --worker adam 'Make `npm test` pass'",
  );
});

test('a shell reads back exactly the words that were quoted', () => {
  // An argument cannot contain NUL; half a surrogate pair has no UTF-8.
  const words = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(words, (texts) => {
      const given = texts.map((text) => text.replaceAll('\0', ''));
      const read = execFileSync('sh', ['-c', `printf '%s\\0' ${commandLine(...given)}`], { encoding: 'utf8' });
      expect(read.split('\0').slice(0, -1)).toEqual(given);
    }),
    { numRuns: 50 },
  );
});
