import { expect, test } from 'vitest';
import { decideTaken, type TakenPrompt, type TakenStep } from './decide-taken.ts';

const taken = (id: string, changes: Partial<TakenPrompt> = {}): TakenPrompt => ({
  id,
  began: false,
  over: false,
  record: 'held',
  ...changes,
});
const lost = { record: 'missing' } as const;
const first = { began: true } as const;

test.each<[string, 'resume' | 'fresh', readonly TakenPrompt[], TakenStep]>([
  ['nothing was under way: nothing is sent', 'resume', [], { again: [], tell: 'nothing' }],
  ['its turn had ended: nothing is sent', 'resume', [taken('a', { over: true })], { again: [], tell: 'nothing' }],
  [
    'its turn had ended, and the record was never written: it was acted on',
    'resume',
    [taken('a', { over: true, ...lost })],
    { again: [], tell: 'nothing' },
  ],
  ['the record holds it: go on', 'resume', [taken('a')], { again: [], tell: 'go_on' }],
  ['there is no record to read: go on', 'resume', [taken('a', { record: 'unknown' })], { again: [], tell: 'go_on' }],
  ['the record does not hold it: it is sent again, and nothing else', 'resume', [taken('a', lost)], { again: ['a'], tell: 'nothing' }],
  [
    'the record holds one of two: the other is sent again, then go on',
    'resume',
    [taken('a'), taken('b', lost)],
    { again: ['b'], tell: 'go_on' },
  ],
  [
    'the record holds none of two: both are sent again, in order',
    'resume',
    [taken('a', lost), taken('b', lost)],
    { again: ['a', 'b'], tell: 'nothing' },
  ],
  [
    'one is over, the other is missing: only that one',
    'resume',
    [taken('a', { over: true }), taken('b', lost)],
    { again: ['b'], tell: 'nothing' },
  ],
  ['a new conversation in place of one with a record: the story', 'fresh', [taken('a', first)], { again: [], tell: 'story' }],
  [
    'a new conversation, and no record to read: the story',
    'fresh',
    [taken('a', { ...first, record: 'unknown' })],
    { again: [], tell: 'story' },
  ],
  [
    'the conversation never began: its first prompt is sent again',
    'fresh',
    [taken('a', { ...first, ...lost })],
    { again: ['a'], tell: 'nothing' },
  ],
  [
    'a later prompt is missing, and the conversation is refused: the story has it',
    'fresh',
    [taken('a', lost)],
    { again: [], tell: 'story' },
  ],
  [
    'a new conversation after a turn that had ended: nothing is sent',
    'fresh',
    [taken('a', { over: true })],
    { again: [], tell: 'nothing' },
  ],
])('%s', (_, conversation, prompts, expected) => {
  expect(decideTaken(prompts, conversation)).toEqual(expected);
});

test.each<[string, 'resume' | 'fresh', readonly TakenPrompt[], TakenStep]>([
  ['its conversation is resumed: the question waits for its answer', 'resume', [taken('a')], { again: [], tell: 'question' }],
  [
    'its prompt is missing from the record: it is sent again, and leads to the question again',
    'resume',
    [taken('a', lost)],
    { again: ['a'], tell: 'nothing' },
  ],
  ['another prompt is missing: that one first, then go on', 'resume', [taken('a'), taken('b', lost)], { again: ['b'], tell: 'go_on' }],
  ['a new conversation does not know the question: the story', 'fresh', [taken('a', first)], { again: [], tell: 'story' }],
  ['its turn had ended: nothing is sent', 'resume', [taken('a', { over: true })], { again: [], tell: 'nothing' }],
])('an agent that ended while it asked: %s', (_, conversation, prompts, expected) => {
  expect(decideTaken(prompts, conversation, true)).toEqual(expected);
});
