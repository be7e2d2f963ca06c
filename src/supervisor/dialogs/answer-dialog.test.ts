import { expect, test } from 'vitest';
import { chosenLabel, requireChoiceThatExists } from './answer-dialog.ts';

const CHOICES = ['SQLite', 'Postgres', '42', 'Type something'];

test.each(['9', '0', '5', ' 12 '])('%s is refused beside four choices, which are listed', (choice) => {
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
