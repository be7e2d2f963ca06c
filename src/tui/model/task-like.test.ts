import { describe, expect, test } from 'vitest';
import { aWorkerReport, Played } from '../samples.ts';
import { turned } from './task-like.ts';
import type { Mode } from './view.ts';

const CHOICES = [
  { agent: 'claude', models: ['opus', 'sonnet'] },
  { agent: 'codex', models: [] },
];

test.each([
  ['agent', {}, { agent: 'claude' }],
  ['agent', { agent: 'claude', model: 'opus' }, { agent: 'codex', model: undefined }],
  ['agent', { agent: 'codex' }, {}],
  ['agent', { agent: 'gone' }, { agent: 'claude' }],
  ['model', {}, { model: 'opus' }],
  ['model', { agent: 'claude', model: 'opus' }, { agent: 'claude', model: 'sonnet' }],
  ['model', { agent: 'claude', model: 'sonnet' }, { agent: 'claude', model: undefined }],
  ['model', { agent: 'codex' }, { agent: 'codex' }],
] as const)('the next %s after %j is %j', (part, like, expected) => {
  expect(turned(like, CHOICES, part)).toMatchObject(expected);
});

const busy = aWorkerReport('adam', { status: 'working', current_prompt: 'Something' });

describe('a task in the view', () => {
  test('goes with the agent and the model that were chosen, and the next task is for any again', () => {
    const played = new Played([busy]).press('n', 'shift+tab');
    expect(played.effects).toEqual([{ kind: 'list-agents', part: 'model' }]);
    played.on({ kind: 'agents', choices: CHOICES, part: 'model' });
    expect(played.screen.join('\n')).toContain('task agent: any · model: opus› ');
    played.press('tab', 'shift+tab', 'shift+tab').type('Fix it');
    expect(played.screen.join('\n')).toContain('task agent: claude · model: sonnet› Fix it');
    played.press('enter');
    expect(played.effects.at(-1)).toEqual({ kind: 'task', text: 'Fix it', like: { agent: 'claude', model: 'sonnet' } });
    expect(played.press('n').type('Test it').press('enter').effects.at(-1)).toEqual({ kind: 'task', text: 'Test it' });
  });

  test('leaves half of a narrow line for its text', () => {
    const played = new Played([busy], { columns: 40, rows: 12 }).press('n').on({ kind: 'agents', choices: CHOICES, part: 'agent' });
    expect(played.type('Fix it').screen.find((line) => line.startsWith('task'))).toMatch(/^task agent: claude.*› Fix it/);
  });

  const asked: Mode = {
    kind: 'confirm',
    question: 'No worker is idle. Add one (bea, claude)?',
    below: { kind: 'browse' },
    effect: { kind: 'add-worker', name: 'bea', like: {} },
    offer: {
      no: { does: 'take the task back', effect: { kind: 'take-back', numbers: [7], text: 'Fix it', like: {} } },
      leaves: 'leave it in the queue',
    },
  };
  const sent = () => {
    const played = new Played([busy]).press('n').type('Fix it').press('enter');
    const [effect] = played.effects;
    if (effect !== undefined) played.on({ kind: 'done', effect, notice: { tone: 'good', text: 'Task 7 is in the queue' }, opens: asked });
    return played;
  };

  const readOffer = () => {
    const played = sent();
    played.now += 300;
    return played.on({ kind: 'tick' });
  };

  test.each([
    ['y', 'add-worker', 'browse'],
    ['enter', 'add-worker', 'browse'],
    ['n', 'take-back', 'browse'],
    ['q', undefined, 'browse'],
    ['escape', undefined, 'browse'],
    ['j', undefined, 'confirm'],
  ])('without an idle worker: %s does %s', (key, kind, mode) => {
    const played = readOffer();
    expect(played.screen.join('\n')).toContain('No worker is idle. Add one (bea, claude)? [Y/n/q]');
    expect(played.press(key).asked[1]).toBe(kind);
    expect(played.view.mode.kind).toBe(mode);
  });

  test('is not taken back by an n that was typed for the next task', () => {
    const played = sent().press('n');
    expect(played.asked[1]).toBeUndefined();
    expect(played.view.mode.kind).toBe('confirm');
  });

  test('gets no worker and is not taken back by the words of the next task', () => {
    const played = sent();
    for (const key of Array.from('next: why not try again')) {
      played.now += 120;
      played.press(key);
    }
    played.now += 120;
    played.press('enter');
    expect(played.asked).toEqual(['task']);
    expect(played.view.mode.kind).toBe('confirm');
    // A person who has read the question by now.
    played.now += 1_100;
    expect(played.press('y').asked[1]).toBe('add-worker');
  });

  test('that was taken back stands in its line again, before what is typed there meanwhile', () => {
    const back = { kind: 'taken-back', text: 'Fix it', like: {} } as const;
    expect(readOffer().press('n').on(back).view.mode).toMatchObject({ kind: 'typing', asked: { kind: 'task' }, field: { text: 'Fix it' } });
    const typing = readOffer().press('n').press('n').type('Test it').on(back);
    expect(typing.view.mode).toMatchObject({ field: { text: 'Fix it\nTest it' } });
    expect(readOffer().press('n').press(':').on(back).view.task.text).toBe('Fix it');
  });

  test('is told about and does not interrupt what is typed when the question comes', () => {
    const played = new Played([busy]).press('n').type('Fix it').press('enter').press(':');
    const [effect] = played.effects;
    if (effect !== undefined) played.on({ kind: 'done', effect, notice: { tone: 'good', text: 'Task 7 is in the queue' }, opens: asked });
    expect(played.view).toMatchObject({ mode: { kind: 'typing' }, notice: { text: 'Task 7 is in the queue' } });
  });

  test('that could not be sent is not lost, whatever is typed by then', () => {
    const played = new Played([busy]).press('n').type('Fix it').press('enter').press(':').type('status');
    const [effect] = played.effects;
    if (effect !== undefined) played.on({ kind: 'failed', effect, notice: { tone: 'bad', text: 'no' }, isOutdated: false });
    expect(played.view).toMatchObject({ mode: { kind: 'typing', field: { text: 'status' } }, task: { text: 'Fix it' } });
  });
});
