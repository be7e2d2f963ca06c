import { expect, test } from 'vitest';
import { unknownOption } from './unknown-option.ts';
import { VERBS } from './verbs.ts';

const read = (line: string) => {
  const argv = line.split(' ');
  return unknownOption(
    argv,
    VERBS.find(({ name }) => argv.includes(name)),
  );
};

test.each([
  ['start --wroker adam x', '--worker', 'llmc start --worker adam x'],
  ['start --promt-file=a.md', '--prompt-file', 'llmc start --prompt-file=a.md'],
  ['--root /trial status --jsn', '--json', 'llmc --root /trial status --json'],
  ['nuke adam --force', '--yes', 'llmc nuke adam --yes'],
  ['logs --tail', '--follow', 'llmc logs --follow'],
])('llmc %s: did you mean %s?', (line, meant, hint) => {
  expect(read(line)).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(`did you mean ${meant}?`), hint });
});

test('an option that resembles none leads to the help of the command', () => {
  expect(read('status --frobnicate')).toMatchObject({ message: "unknown option '--frobnicate'", hint: 'llmc status --help' });
  expect(read('--frobnicate')).toMatchObject({ hint: 'llmc help' });
});

test.each(['down --force', 'status --help', 'start -x', 'start -- --text'])('nothing is unknown in llmc %s, or it has no name', (line) => {
  expect(read(line)).toBeUndefined();
});
