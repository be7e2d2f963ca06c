import { describe, expect, test } from 'vitest';
import { commandNeedsTerminal } from './needs-terminal.ts';
import { splitWords } from './split-words.ts';

describe('a command that is typed in the view', () => {
  test.each<[string, readonly string[]]>([
    ['status --json', ['status', '--json']],
    ['  message adam "two words"  ', ['message', 'adam', 'two words']],
    [`reject 'it''s' "a \\"b\\" $x"`, ['reject', 'its', 'a "b" $x']],
    ['start a\\ b ""', ['start', 'a b', '']],
    ['start "$(rm -rf /)" ; ls | x', ['start', '$(rm -rf /)', ';', 'ls', '|', 'x']],
    ['', []],
  ])('%s', (line, expected) => {
    expect(splitWords(line)).toEqual(expected);
  });

  test.each(['message adam "two', "it's"])('has an open quote: %s', (line) => {
    expect(() => splitWords(line)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  test.each<[string, boolean]>([
    ['status', false],
    ['status --watch', true],
    ['attach adam', true],
    ['attach --help', false],
    ['up', true],
    ['up --detach', false],
    ['logs adam --follow', true],
    ['reject', true],
    ['reject "No"', false],
    ['accept adam --edit', true],
  ])('%s needs the terminal: %s', (line, expected) => {
    expect(commandNeedsTerminal(splitWords(line))).toBe(expected);
  });
});
