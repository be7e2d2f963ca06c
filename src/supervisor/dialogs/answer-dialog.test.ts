import { expect, test } from 'vitest';
import type { Dialog } from '../../agents/activity.ts';
import { chosenLabel, isSameQuestion, requireChoiceThatExists } from './answer-dialog.ts';

const CHOICES = ['SQLite', 'Postgres', '42', 'Type something'];

test.each(['9', '0', '5', ' 12 ', '1,3', '1, 2'])('%s is refused beside four choices, which are listed', (choice) => {
  expect(() => requireChoiceThatExists('adam', choice, CHOICES)).toThrowError(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', hint: expect.stringContaining('SQLite / Postgres / 42 / Type something') }),
  );
});

test.each(['1', '4', '42', 'Postgres', 'MySQL 9'])('%s is left to the agent', (choice) => {
  requireChoiceThatExists('adam', choice, CHOICES);
});

test('a number is an answer where the dialog offers no choices', () => {
  requireChoiceThatExists('adam', '9', []);
});

test.each([
  ['1', 'SQLite'],
  ['post', 'Postgres'],
  ['42', '42'],
  ['MySQL 9', 'MySQL 9'],
])('the answer %s is reported as %s', (choice, label) => {
  expect(chosenLabel(choice, CHOICES)).toBe(label);
});

test('two permissions in the same words are the same question only if the tool and the command are the same', () => {
  const asked: Dialog = { kind: 'awaiting_permission', tool: 'Bash', command: 'echo one', question: 'Proceed?', choices: ['Yes', 'No'] };
  expect(isSameQuestion(asked, { ...asked, choices: [] })).toBe(true);
  expect(isSameQuestion(asked, { ...asked, command: 'echo two' })).toBe(false);
  expect(isSameQuestion(asked, { ...asked, tool: 'Write' })).toBe(false);
  expect(isSameQuestion(asked, { ...asked, question: 'Really?' })).toBe(false);
});
