import { expect, test } from 'vitest';
import { refuseUnknownVerb } from './unknown-verb.ts';
import { VERBS } from './verbs.ts';

const NAMES = VERBS.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));

test.each([
  ['list', 'status', 'llmc status'],
  ['remove adam', 'nuke', 'llmc nuke adam'],
  ['delete adam --yes', 'nuke', 'llmc nuke adam --yes'],
  ['stop', 'down', 'llmc down'],
  ['task', 'start', 'llmc start'],
  ['--root /trial ps', 'status', 'llmc --root /trial status'],
  ['statsu', 'status', 'llmc status'],
  ['acept adam', 'accept', 'llmc accept adam'],
  ['ps --help', 'status', 'llmc help status'],
  ['help ps', 'status', 'llmc help status'],
])('llmc %s: did you mean %s?', async (line, meant, hint) => {
  await expect(refuseUnknownVerb(line.split(' '), NAMES)).rejects.toMatchObject({
    message: expect.stringContaining(`did you mean ${meant}?`),
    hint,
  });
});

test('a suggestion can be pasted', async () => {
  await expect(refuseUnknownVerb(['tell', 'adam', 'Use `npm test`'], NAMES)).rejects.toMatchObject({
    hint: "llmc message adam 'Use `npm test`'",
  });
});

test('a word that resembles no command leads to the list of commands', async () => {
  await expect(refuseUnknownVerb(['frobnicate'], NAMES)).rejects.toMatchObject({
    message: "unknown command 'frobnicate'",
    hint: 'llmc help',
  });
});

test.each([['status'], ['ls'], ['rm adam'], ['help ls'], ['help'], ['help status'], ['--version'], ['--root /trial status'], ['']])(
  'llmc %s is known',
  async (line) => {
    await refuseUnknownVerb(line.split(' ').filter(Boolean), NAMES);
  },
);
