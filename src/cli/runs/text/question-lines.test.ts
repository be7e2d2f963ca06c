import { expect, test } from 'vitest';
import type { QuestionView } from '../../../workflow/view/run-view.ts';
import { answerKeys, chooseKey, questionLines } from './question-lines.ts';

const question = (changes: Partial<QuestionView>): QuestionView => ({
  run: 'lit-1',
  number: 1,
  type: 'approval',
  stage: '3-approval',
  text: 'Approve the result of 3?',
  see: [],
  approves: null,
  task: null,
  prompt: null,
  options: ['approve', 'reject', 'abort'],
  recommended: 'approve',
  asked_ms: 0,
  default: null,
  by_itself_ms: null,
  attempts: [],
  progress: null,
  terminal: null,
  ...changes,
});
const PLAIN = { columns: Number.POSITIVE_INFINITY, atRoot: (text: string) => text };

test.each<[string, Partial<QuestionView>, string]>([
  ['numbers', {}, '    1 approve (recommended)  2 reject  3 abort'],
  ['letters', { type: 'crash', options: ['restart', 'skip'], recommended: 'restart' }, '    [R]estart (recommended)  [S]kip'],
  ['both', { type: 'crash', options: ['skip', 'abort', 'accept'], recommended: 'skip' }, '    [S]kip (recommended)  2 abort  3 accept'],
])('each key that the options name answers: %s', (_, changes, line) => {
  const asked = question(changes);
  expect(questionLines(asked, 0, PLAIN)).toContain(line);
  const keys = answerKeys(asked.options, 'q');
  expect(asked.options.map((option, index) => keys.get(chooseKey(option, index, asked)))).toEqual(asked.options);
});

test('a question that only the terminal of the agent can answer names that terminal', () => {
  const text = 'It is not logged in (Select login method). Log in: llmc attach lit-1-lead';
  const asked = question({ type: 'blocked', text, options: ['answer', 'skip', 'abort'], recommended: 'answer' });
  expect(questionLines(asked, 0, PLAIN).at(-1)).toBe('    llmc decide lit-1#1 answer --text "…"');
  expect(questionLines({ ...asked, terminal: 'lit-1-lead' }, 0, PLAIN).at(-1)).toBe('    llmc attach lit-1-lead');
});

test('a number answers as well as a first letter that no other option has', () => {
  expect([...answerKeys(['approve', 'reject', 'abort'], 'q')].toSorted()).toEqual([
    ['1', 'approve'],
    ['2', 'reject'],
    ['3', 'abort'],
    ['r', 'reject'],
  ]);
  expect(answerKeys(['quit', 'wait'], 'q').get('q')).toBeUndefined();
});
