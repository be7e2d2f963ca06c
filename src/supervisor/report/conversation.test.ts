import { expect, test } from 'vitest';
import type { AgentEvent } from '../../agents/events.ts';
import { openDatabase } from '../../store/database.ts';
import { insertDelivery } from '../../store/tables/deliveries.ts';
import { recordEvent } from '../../store/tables/events.ts';
import { feedbackPrompt, taskPrompt } from '../../workers/prompt/prompts.ts';
import { aConfig, aWorker, ofRun } from '../../workers/samples.ts';
import { aDelivery, anEvent } from '../samples.ts';
import { conversation, mergeSaid, type Said } from './conversation.ts';

const ended = (message: string, seq: number) => anEvent({ kind: 'turn_ended', message, backgroundTasks: 0 }, seq);
const accepted = (text: string, seq: number) => anEvent({ kind: 'prompt_accepted', text }, seq);
const words = (said: readonly Said[]) => said.map(({ who, text, state }) => [who, text, ...(state === null ? [] : [state])].join(': '));
const acked = { state: 'done', typed_ms: 900, acked_ms: 1_000, acked_event: 1 } as const;

test.each([
  [
    'a task and its answer',
    [aDelivery({ ...acked, purpose: 'task' })],
    [accepted('Fix the typo', 1), ended('Fixed.', 2)],
    ['person: Fix the typo', 'agent: Fixed.'],
  ],
  [
    'a turn that ended before llmc noted its prompt as arrived',
    [aDelivery({ ...acked, acked_ms: 60_000, purpose: 'task' })],
    [accepted('Fix the typo', 1), ended('Fixed.', 2)],
    ['person: Fix the typo', 'agent: Fixed.'],
  ],
  [
    'a prompt typed in the terminal',
    [],
    [accepted('And the other one', 1), ended('That too.', 2)],
    ['person: And the other one', 'agent: That too.'],
  ],
  [
    'a prompt that the screen acknowledged is not said twice',
    [aDelivery({ ...acked, acked_event: null, sent_text: 'Fix the typo' })],
    [accepted('Fix the typo ', 2)],
    ['person: Fix the typo'],
  ],
  ['a question of llmc', [aDelivery({ ...acked, purpose: 'nudge', text: 'How far are you?' })], [], ['llmc: How far are you?']],
  [
    'a prompt that waits',
    [aDelivery({ state: 'held', created_ms: 5_000 })],
    [ended('Done.', 2)],
    ['agent: Done.', 'person: Fix the typo: waiting'],
  ],
  ['a prompt that failed', [aDelivery({ state: 'failed', typed_ms: 1 })], [], ['person: Fix the typo: failed']],
  [
    'a turn that failed',
    [],
    [anEvent({ kind: 'turn_failed', type: 'overloaded', recoverable: true, message: 'Overloaded', resetsAt: null }, 3)],
    ['agent: Overloaded: failed'],
  ],
  ['an empty message', [], [ended('  \n', 1)], []],
])('%s', (_, deliveries, events, expected) => {
  expect(words(mergeSaid(aWorker(), deliveries, events))).toEqual(expected);
});

test('a task is shown without the instructions of llmc', () => {
  const worker = aWorker();
  const text = taskPrompt(worker, '/root', aConfig(), 'Fix it');
  const row = aDelivery({ ...acked, purpose: 'task', text, sent_text: text });
  expect(words(mergeSaid(worker, [row], [accepted(text, 9)]))).toEqual(['person: Fix it']);
});

test('a task that an agent reports again, long after its delivery, is shown without the instructions too', () => {
  const text = taskPrompt(aWorker(), '/root', aConfig(), 'Fix it');
  expect(words(mergeSaid(aWorker(), [], [accepted(text, 9)]))).toEqual(['person: Fix it']);
});

test('feedback is shown without the change that was reviewed', () => {
  const text = feedbackPrompt('Not like that', ' a.ts | 2 +-', [{ at: 'a.ts:1', text: 'Why?' }]);
  const row = aDelivery({ ...acked, purpose: 'feedback', text, sent_text: text });
  expect(words(mergeSaid(aWorker(), [row], [accepted(text, 1)]))).toEqual(['person: Not like that\n\nAt a.ts:1: Why?']);
});

test('a task of a run comes from llmc', () => {
  expect(words(mergeSaid(aWorker({ run: ofRun() }), [aDelivery({ purpose: 'task', ...acked })], []))).toEqual(['llmc: Fix the typo']);
});

test('after its events are deleted, the message kept for the review is the last one', () => {
  const worker = aWorker({ summary: 'Fixed.', last_activity_unix: 20 });
  expect(words(mergeSaid(worker, [aDelivery(acked)], []))).toEqual(['person: Fix the typo', 'agent: Fixed.']);
  expect(words(mergeSaid(worker, [], [ended('Newer.', 30)]))).toEqual(['agent: Newer.']);
});

test('the last turns are read from the database, without what other workers said and what nobody reported', () => {
  using database = openDatabase(':memory:');
  insertDelivery(database, { id: 'd', worker: 'adam', purpose: 'task', text: 'First', fresh_conversation: 1, created_ms: 1 });
  const report = (worker: string, id: string, event: AgentEvent, fate: 'applied' | 'forged' = 'applied') =>
    recordEvent(database, { id, worker, incarnation: 1, name: event.kind, at: Number(id) * 10, payload: null }, event, fate);
  report('adam', '1', { kind: 'turn_ended', message: 'One', backgroundTasks: 0 });
  report('adam', '2', { kind: 'tool_started', tool: 'Bash' });
  report('berta', '3', { kind: 'turn_ended', message: 'Mine', backgroundTasks: 0 });
  report('adam', '4', { kind: 'turn_ended', message: 'Forged', backgroundTasks: 0 }, 'forged');
  report('adam', '5', { kind: 'turn_ended', message: 'Two', backgroundTasks: 0 });
  expect(words(conversation(aWorker(), database, 10))).toEqual(['person: First: waiting', 'agent: One', 'agent: Two']);
  expect(words(conversation(aWorker(), database, 2))).toEqual(['agent: One', 'agent: Two']);
});
