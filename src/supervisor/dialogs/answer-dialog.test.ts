import { expect, test } from 'vitest';
import { requireChoiceThatExists } from './answer-dialog.ts';

const QUESTION = {
  kind: 'awaiting_question',
  questionType: 'multiple_choice',
  question: 'Which database?',
  choices: ['SQLite', 'Postgres', '42', 'Type something'],
} as const;

test.each(['9', '0', '5', ' 12 '])('%s is refused beside four choices, which are listed', (choice) => {
  expect(() => requireChoiceThatExists('adam', choice, QUESTION)).toThrowError(
    expect.objectContaining({
      code: 'INVALID_ARGUMENT',
      hint: expect.stringContaining('1. SQLite, 2. Postgres, 3. 42, 4. Type something'),
    }),
  );
});

test.each(['1', '4', '42', 'Postgres', 'MySQL 9'])('%s is left to the agent', (choice) => {
  requireChoiceThatExists('adam', choice, QUESTION);
});

test('a number is an answer where the dialog takes free text and offers no choices', () => {
  requireChoiceThatExists('adam', '9', { ...QUESTION, questionType: 'free_text', choices: [] });
});
