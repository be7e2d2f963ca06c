import { expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import type { Worker } from '../../store/state.ts';
import { ackedDeliveries, type Delivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { openStory, storySoFar } from './story-so-far.ts';

type Told = Pick<Delivery, 'purpose' | 'text'> & Partial<Pick<Delivery, 'state' | 'reason'>>;

/** The story of a worker with these deliveries, without what llmc always says. */
async function storyOf(...told: readonly Told[]): Promise<readonly string[]> {
  await using work = await workWith({}, told);
  const { database } = work.context.store;
  const story = await storySoFar(work.context, 'adam', ackedDeliveries(database, 'adam'));
  expect(story).toMatch(/^Your session was interrupted.*\n(?:.*\n)*## Task\n\nAdd the parser/);
  return story.split('\n\n## Told since then, the oldest first\n\n').slice(1);
}

async function workWith(worker: Partial<Worker>, told: readonly Told[]): Promise<ScratchWork> {
  const work = await scratchWork({ worker: { status: 'working', agent: 'demo', current_prompt: 'Add the parser', ...worker } });
  const { database } = work.context.store;
  for (const [index, { purpose, text, state = 'done', reason = null }] of told.entries()) {
    const id = `d-${index}`;
    insertDelivery(database, { id, worker: 'adam', purpose, text, fresh_conversation: purpose === 'task' ? 1 : 0, created_ms: index });
    updateDelivery(database, id, { state, reason, ...(state !== 'queued' && { typed_ms: index }) });
  }
  return work;
}

const task: Told = { purpose: 'task', text: 'Add the parser' };
const message = (text: string, more: Partial<Told> = {}): Told => ({ purpose: 'message', text, ...more });

/** What a conversation gets that replaces a lost one: whether the task, and what was told since. */
async function openAfter(worker: Partial<Worker>, ...told: readonly Told[]): Promise<{ task: boolean; told: string | undefined }> {
  await using work = await workWith(worker, told);
  const story = await openStory(work.context, 'adam');
  expect(story).toMatch(/^Your earlier conversation could not be resumed.*What you had answered before is not repeated/);
  const [before = '', open] = story.split('\n\n## Still open, the oldest first\n\n');
  return { task: before.includes('## Task\n\nAdd the parser'), told: open };
}

const CUT = { reason: { kind: 'cut_short' } } as const;
const go: Told = { purpose: 'continue', text: 'go on' };
const COMMITTED = { commit_sha: 'a'.repeat(40) };

test.each<[string, Partial<Worker>, readonly Told[], Awaited<ReturnType<typeof openAfter>>]>([
  ['the task that was under way', {}, [{ ...task, state: 'acked' }], { task: true, told: undefined }],
  [
    'the task whose continuation waits',
    {},
    [
      { ...task, ...CUT },
      { ...go, state: 'queued' },
    ],
    { task: true, told: undefined },
  ],
  ['only the message that was under way', {}, [task, message('one'), message('two', { state: 'acked' })], { task: true, told: 'two' }],
  [
    'only the message, without a task whose commit waits for review',
    COMMITTED,
    [task, message('one'), message('two', { state: 'acked' })],
    { task: false, told: 'two' },
  ],
  [
    'what was cut short, unless a turn ended after it',
    COMMITTED,
    [task, message('one', CUT), go, message('two', CUT), message('three', CUT), { ...go, state: 'acked' }],
    { task: false, told: 'two\n\nthree' },
  ],
  [
    'feedback that has not led to a commit',
    { ...COMMITTED, status: 'rejected' },
    [task, { purpose: 'feedback', text: 'no' }],
    { task: false, told: 'no' },
  ],
  ['the task, if nothing else is open', COMMITTED, [task, message('one')], { task: true, told: undefined }],
])('a lost conversation is replaced by one with %s', async (_, worker, told, expected) => {
  expect(await openAfter(worker, ...told)).toEqual(expected);
});

test.each<[string, readonly Told[], readonly string[]]>([
  ['only the task, when nothing was told since', [task], []],
  [
    'everything since, the oldest first',
    [task, message('one'), { purpose: 'feedback', text: 'two' }, message('three', { state: 'acked' })],
    ['one\n\ntwo\n\nthree'],
  ],
  ['nothing of an earlier task', [message('old'), task, message('new')], ['new']],
  [
    'nothing that waits to be sent, or was sent as a part of another prompt',
    [task, message('waits', { state: 'queued' }), message('taken', { reason: { kind: 'taken_back' } })],
    [],
  ],
  [
    'what was told before many prompts that wait',
    [task, message('one'), ...Array.from({ length: 60 }, () => message('w', { state: 'queued' }))],
    ['one'],
  ],
  ['no prompt of llmc itself', [task, { purpose: 'continue', text: 'go on' }], []],
  ['a message that became the task only once', [message('Add the parser')], []],
  ['the newest, when all are too long', [task, message('x'.repeat(40_000)), message('y'.repeat(40_000))], ['y'.repeat(40_000)]],
])('the story has %s', async (_, told, expected) => {
  expect(await storyOf(...told)).toEqual(expected);
});
