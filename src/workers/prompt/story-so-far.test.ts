import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { ackedDeliveries, type Delivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { storySoFar } from './story-so-far.ts';

type Told = Pick<Delivery, 'purpose' | 'text'> & Partial<Pick<Delivery, 'state' | 'reason'>>;

/** The story of a worker with these deliveries, without what llmc always says. */
async function storyOf(...told: readonly Told[]): Promise<readonly string[]> {
  await using work = await scratchWork({ worker: { status: 'working', agent: 'demo', current_prompt: 'Add the parser' } });
  const { database } = work.context.store;
  for (const [index, { purpose, text, state = 'done', reason = null }] of told.entries()) {
    const id = `d-${index}`;
    insertDelivery(database, { id, worker: 'adam', purpose, text, fresh_conversation: purpose === 'task' ? 1 : 0, created_ms: index });
    updateDelivery(database, id, { state, reason, ...(state !== 'queued' && { typed_ms: index }) });
  }
  const story = await storySoFar(work.context, 'adam', ackedDeliveries(database, 'adam'));
  expect(story).toMatch(/^Your session was interrupted.*\n(?:.*\n)*## Task\n\nAdd the parser/);
  return story.split('\n\n## Told since then, the oldest first\n\n').slice(1);
}

const task: Told = { purpose: 'task', text: 'Add the parser' };
const message = (text: string, more: Partial<Told> = {}): Told => ({ purpose: 'message', text, ...more });

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
