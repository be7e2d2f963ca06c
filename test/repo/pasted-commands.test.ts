import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VERBS } from '../../src/cli/verbs.ts';

const repository = join(import.meta.dirname, '../..');
/** `llmc runs` takes nothing, and "llmc runs the tests" is a sentence. */
const VERB_NAMES = VERBS.map(({ name }) => name).filter((name) => name !== 'runs');
const PROGRAMS = `llmc (?:${VERB_NAMES.join('|')})\\b|git (?:-C|config|push|submodule)|ls -|tmux -|kill -|rm -`;
/** A command inside a template, up to the end of its clause. */
const COMMAND = new RegExp(`(?<![\\w/.-])(?:${PROGRAMS})(?:\\$\\{[^}]*\\}|\\\\.|[^;,.)\`]|[.,;](?=\\S))*`, 'g');
/** Checked when they were made: [a-z][a-z0-9-]*, numbers, object names, codes of llmc, constants, one of two fixed texts. */
const SAFE_VALUES =
  /^(?:\w+\.)*(?:name|worker|run|run\.id|number|pid|sha|rescued|replaced|first\.name|verb|made\.code)$|^[A-Z_]+$|^(?:shellWord|commandLine|rootFlag)\(|^[\w.]+ \? '[^']*' : '[^']*'$/;

/** Values that a template literal puts into a command as they are. */
function rawValues(line: string): readonly string[] {
  if (!line.includes('${')) return [];
  return [...line.matchAll(COMMAND)].flatMap(([command]) =>
    [...command.matchAll(/\$\{([^}]*)\}?/g)].flatMap(([, value = '']) => (SAFE_VALUES.test(value.trim()) ? [] : [value])),
  );
}

// § stands for $, so that no linter takes these for templates.
test.each([
  ['hint: `llmc reject --worker §{name} "Make \\`§{failed.line}\\` pass"`', ['failed.line']],
  ['hint: `Check its owner: ls -ld "§{layout.root}"`', ['layout.root']],
  ["hint: `Check its owner: §{commandLine('ls', '-ld', layout.root)}`", []],
  ['hint: `llmc init --target §{shellWord(layout.root)}`', []],
  ['`§{problem}. Look: llmc review §{landing.worker}; §{more}`', []],
])('%s', (line, expected) => {
  expect(rawValues(line.replaceAll('§', '$'))).toEqual(expected);
});

test('no hint has a command with a placeholder in angle brackets: a shell takes it for a redirection', () => {
  const hint = /\bhint\b.*\bllmc [^'`]*<[a-z]+>/;
  const found = globSync('src/**/*.ts', { cwd: repository, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    readFileSync(join(repository, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (hint.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test('no command that a person is told to type holds a raw value', () => {
  const found = globSync('src/**/*.ts', { cwd: repository, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    readFileSync(join(repository, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (/^\s*(?:\/\/|\*|\/\*)/.test(line) ? [] : rawValues(line).map((value) => `${file}:${index + 1} ${value}`))),
  );
  expect(found).toEqual([]);
});
