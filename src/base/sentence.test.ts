import { expect, test } from 'vitest';
import { sentence } from './sentence.ts';

test.each([
  ['the agent is busy', 'the agent is busy.'],
  ['a dialog is open: Go on?', 'a dialog is open: Go on?'],
  ['and so on…', 'and so on…'],
  ['', '.'],
])('%j', (text, ended) => {
  expect(sentence(text)).toBe(ended);
});
