import { describe, expect, test } from 'vitest';
import type { HeldMessage } from '../../workers/prompt/held-messages.ts';
import type { TaskReport } from '../../workers/queue/show-queue.ts';
import { aWorkerReport, NOW, Played } from '../samples.ts';
import type { Effect } from './effect.ts';

const working = (name: string) => aWorkerReport(name, { status: 'working', current_prompt: 'Something long' });

const TASK: TaskReport = {
  number: 7,
  prompt: 'Fix it',
  expects: 'commit',
  waits: null,
  position: 1,
  priority: 0,
  worker: null,
  agent: null,
  after: [],

  model: null,
  state: 'waiting',
  given_to: null,
  delivery: null,
  problem: null,
  created_ms: 0,
  given_ms: null,
  ended_ms: null,
  answer: null,
  answer_source: null,
};

describe('a change of the queue', () => {
  test.each<[string, readonly string[]]>([
    ['y', ['cancel-task', 'list-queue']],
    ['n', []],
    ['enter', []],
    ['escape', []],
  ])('asks first: %s', (key, expected) => {
    const played = new Played([working('adam')]).press('q');
    played.on({ kind: 'queue', tasks: [TASK], messages: [] }).press('x', key);
    const effect = played.effects.find(({ kind }) => kind === 'cancel-task');
    if (effect !== undefined) played.on({ kind: 'done', effect });
    expect(played.asked.slice(1)).toEqual(expected);
    expect(played.view.mode.kind).toBe('queue');
  });

  test('a task that is not edited after all is in the queue as it was', () => {
    const played = new Played([working('adam')])
      .press('q')
      .on({ kind: 'queue', tasks: [TASK], messages: [] })
      .press('e', 'escape');
    expect(played.asked).toEqual(['list-queue', 'list-queue']);
    expect(played.on({ kind: 'queue', tasks: [TASK], messages: [] }).screen.join('\n')).toContain('Fix it');
  });
});

const MESSAGE: HeldMessage = {
  id: '3f2a91bc',
  worker: 'adam',
  purpose: 'message',
  text: 'Use the helper\ninstead',
  state: 'held',
  reason: 'the agent is busy',
  created_ms: NOW - 5_000,
};
const FEEDBACK: HeldMessage = { ...MESSAGE, id: '77aa00bb', purpose: 'feedback', text: 'Not like that', reason: null };

describe('messages that wait', () => {
  const opened = (tasks: readonly TaskReport[] = [TASK], messages: readonly HeldMessage[] = [MESSAGE, FEEDBACK]) =>
    new Played([working('adam')]).press('q').on({ kind: 'queue', tasks, messages });
  const cancel: Effect = { kind: 'cancel-message', worker: 'adam', id: '3f2a91bc' };

  test('stand below the tasks with their words, their workers and their reasons', () => {
    const text = opened().screen.join('\n');
    expect(text).toMatch(/queue: 1 task waits, 2 messages wait/);
    expect(text).toMatch(
      /7 {2}Fix it.*MESSAGES.*3f2a91bc {2}adam {2}Use the helper⏎?.*instead .*waits: the agent is busy.*feedback: Not like that/s,
    );
    expect(opened([], [MESSAGE]).screen.join('\n')).toMatch(/queue: 1 message waits/);
  });

  test('are canceled with the key of a task, after a question; then the queue is read again', () => {
    const played = opened().press('j', 'x');
    expect(played.screen.join('\n')).toContain('Cancel message 3f2a91bc to adam? [y/N]');
    expect(played.press('y').effects.at(-1)).toEqual(cancel);
    expect(played.on({ kind: 'done', effect: cancel }).asked).toEqual(['list-queue', 'cancel-message', 'list-queue']);
  });

  test('are edited with the key of a task; words that were not taken are typed again', () => {
    const played = opened().press('j', 'e');
    expect(played.view.mode).toMatchObject({ kind: 'typing', field: { text: 'Use the helper\ninstead' } });
    const edit: Effect = { kind: 'edit-message', worker: 'adam', id: '3f2a91bc', text: 'Use the helper\ninstead!' };
    expect(played.type('!').press('enter').effects.at(-1)).toEqual(edit);
    played.on({ kind: 'failed', effect: edit, notice: { tone: 'bad', text: 'it is being typed' }, isOutdated: false });
    expect(played.view.mode).toMatchObject({ kind: 'typing', asked: { kind: 'held' }, field: { text: edit.text } });
    expect(played.press('escape').asked.at(-1)).toBe('list-queue');
    expect(opened().press('j', 'e', 'ctrl+e').effects.at(-1)).toMatchObject({ kind: 'edit', edited: { kind: 'held', id: '3f2a91bc' } });
  });

  test.each(['x', 'e', 'enter', 'd'])('other prompts that wait are not changed: %s', (key) => {
    const played = opened().press('j', 'j', key);
    expect(played.view).toMatchObject({
      mode: { kind: 'queue' },
      notice: { tone: 'bad', text: expect.stringContaining('feedback prompt of adam') },
    });
    expect(played.press('k').view.notice).toBeUndefined();
  });

  test('have no order of their own, and no task moves below them', () => {
    expect(opened().press('J', 'j', 'J', 'K').asked).toEqual(['list-queue']);
  });

  test('the last one stays selected when one above it is gone', () => {
    const played = opened()
      .press('j', 'j', 'j')
      .on({ kind: 'queue', tasks: [], messages: [MESSAGE] });
    expect(played.view.mode).toMatchObject({ at: 0 });
    expect(played.on({ kind: 'queue', tasks: [], messages: [] }).press('x', 'e', 'j').view.mode).toMatchObject({ kind: 'queue', at: 0 });
  });
});
