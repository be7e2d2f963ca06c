import { describe, expect, test } from 'vitest';
import type { Escalation } from '../model/escalation.ts';
import { type AnswerGiven, chooseAnswer } from './choose-answer.ts';

const question = (number: number, changes: Partial<Escalation> = {}): Escalation => ({
  number,
  type: 'timeout',
  step: 'develop',
  text: 'It takes long.',
  options: ['extend', 'restart', 'skip', 'abort'],
  recommended: 'extend',
  at: 0,
  target: null,
  deadline: null,
  answer: null,
  ...changes,
});
const blocked = question(2, { type: 'blocked', options: ['answer', 'skip', 'abort'] });
const answered = question(3, { answer: { option: 'skip', text: null, at: 0, by: 'person' } });
const run = (...escalations: readonly Escalation[]) => ({ id: 'swarm-1', escalations });

describe('an answer', () => {
  test.each<[string, readonly Escalation[], AnswerGiven, object]>([
    ['by its word', [question(1)], { option: 'skip' }, { escalation: 1, option: 'skip', text: null }],
    ['by its number', [question(1)], { option: '2' }, { escalation: 1, option: 'restart' }],
    ['by its first letter', [question(1)], { option: 'R' }, { option: 'restart' }],
    ['to one of two', [question(1), blocked], { number: 1, option: 'abort' }, { escalation: 1, option: 'abort' }],
    ['to the one that is open', [answered, question(4)], { option: 'extend' }, { escalation: 4 }],
    ['in words', [blocked], { option: 'answer', text: '8080' }, { escalation: 2, option: 'answer', text: '8080' }],
    ['with a word that is a number', [question(1, { options: ['7', '2', '1'] })], { option: '2' }, { option: '2' }],
  ])('%s', (_, escalations, given, expected) => {
    expect(chooseAnswer(run(...escalations), given)).toMatchObject(expected);
  });

  test.each<[string, readonly Escalation[], AnswerGiven, string]>([
    ['that nobody asked for', [answered], { option: 'skip' }, 'swarm-1 asks nothing'],
    [
      'to one of two, without its number',
      [question(1), blocked],
      { option: 'skip' },
      'swarm-1 asks 2 questions; name one of swarm-1#1, swarm-1#2',
    ],
    ['to an unknown question', [question(1)], { number: 9, option: 'skip' }, 'swarm-1 has no question #9'],
    ['that came before', [answered], { number: 3, option: 'abort' }, 'swarm-1#3 is answered already: skip'],
    ['with a typo', [question(1)], { option: 'extnd' }, '"extnd" does not answer swarm-1#1; did you mean "extend"?'],
    ['with another word', [question(1)], { option: 'frob' }, '"frob" does not answer swarm-1#1; expected extend, restart, skip, abort'],
    ['with a number too high', [question(1)], { option: '5' }, '"5" does not answer swarm-1#1; expected extend, restart, skip, abort'],
    ['with a letter that two options have', [blocked], { option: 'a' }, '"a" does not answer swarm-1#2'],
    ['in words, without words', [blocked], { option: 'answer', text: ' ' }, 'an answer needs its text'],
  ])('%s is refused', (_, escalations, given, message) => {
    expect(() => chooseAnswer(run(...escalations), given)).toThrow(message);
  });
});
