import { expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { type Delivery, findDelivery, insertDelivery, nextDelivery, undelivered, updateDelivery } from '../../store/tables/deliveries.ts';
import { insertQueued, markGiven } from '../../store/tables/queue.ts';
import { cancelMessage, editMessage, heldMessages } from './held-messages.ts';

type Context = ScratchWork['context'];

const idOf = (number: number): string => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** Puts a message into the queue of adam. */
function held(context: Context, number: number, fields: Partial<Delivery> = {}): string {
  const row = {
    id: idOf(number),
    worker: 'adam',
    purpose: 'message',
    text: `message ${number}`,
    fresh_conversation: 0,
    created_ms: 1,
  } as const;
  insertDelivery(context.store.database, { ...row, ...(fields.purpose && { purpose: fields.purpose }) });
  updateDelivery(context.store.database, row.id, fields);
  return row.id.slice(0, 8);
}

const busy = { worker: { status: 'working', current_prompt: 'its task' } } as const;

test('messages are listed in their order, with what the first one waits for', async () => {
  await using work = await scratchWork(busy);
  const { context } = work;
  held(context, 1, { state: 'held', reason: { kind: 'busy' } });
  held(context, 2);
  held(context, 3, { state: 'acked' });
  expect(await heldMessages(context, {})).toEqual([
    {
      id: '00000001',
      worker: 'adam',
      purpose: 'message',
      text: 'message 1',
      state: 'held',
      reason: 'the agent is busy',
      created_ms: 1,
    },
    {
      id: '00000002',
      worker: 'adam',
      purpose: 'message',
      text: 'message 2',
      state: 'queued',
      reason: 'the agent is busy',
      created_ms: 1,
    },
  ]);
  await expect(heldMessages(context, { worker: 'zoe' })).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' });
});

test('a message that waits is edited and canceled, and the task of its worker stays', async () => {
  await using work = await scratchWork({ worker: { status: 'working', current_prompt: 'message 1' } });
  const { context } = work;
  const { database } = context.store;
  const task = { prompt: 'message 1', expects: 'commit', priority: 0, worker: null, agent: null, after: [], created_ms: 1 } as const;
  markGiven(database, insertQueued(database, task), 'adam', 'd', 1);
  const id = held(context, 1, { state: 'held', reason: { kind: 'busy' } });
  expect(await editMessage(context, { worker: 'adam', id, text: 'better' })).toMatchObject({ id, text: 'better', state: 'held' });
  expect(findDelivery(database, idOf(1))).toMatchObject({ text: 'better', state: 'held' });
  expect(await cancelMessage(context, { worker: 'adam', id })).toMatchObject({ text: 'better', reason: 'a person canceled it' });
  expect(undelivered(database)).toEqual([]);
  expect(context.store.worker('adam').current_prompt).toBe('message 1');
});

test('a message that was the task of its worker is not its task any more', async () => {
  await using work = await scratchWork({ worker: { status: 'working', current_prompt: 'message 1' } });
  const { context } = work;
  const id = held(context, 1);
  await editMessage(context, { worker: 'adam', id, text: 'better' });
  expect(context.store.worker('adam').current_prompt).toBe('better');
  await cancelMessage(context, { worker: 'adam', id });
  expect(context.store.worker('adam').current_prompt).toBeNull();
});

test.each<[string, Partial<Delivery>, string]>([
  ['typed', { state: 'typed', attempt: 1, incarnation: 1 }, '00000001 is being typed into the terminal of adam'],
  ['sent', { state: 'submitted', attempt: 1, incarnation: 1 }, '00000001 is being typed into the terminal of adam'],
  ['waiting after a first attempt', { state: 'held', attempt: 1, incarnation: 1 }, '00000001 is being typed into the terminal of adam'],
  ['preceded by the command that clears its conversation', { incarnation: 1 }, '00000001 is being typed into the terminal of adam'],
  ['with the agent', { state: 'acked' }, 'adam has no message 00000001 that waits: the agent may have it already'],
  ['feedback', { purpose: 'feedback' }, '00000001 is not a message but the feedback of a review'],
  ['the task', { purpose: 'task' }, '00000001 is not a message but its task'],
])('what is %s is neither edited nor canceled', async (_, fields, message) => {
  await using work = await scratchWork(busy);
  const { context } = work;
  const id = held(context, 1, fields);
  await expect(cancelMessage(context, { worker: 'adam', id })).rejects.toMatchObject({ message });
  await expect(editMessage(context, { worker: 'adam', id, text: 'late' })).rejects.toMatchObject({ message });
  expect(findDelivery(context.store.database, idOf(1))).toMatchObject({ text: 'message 1', ...fields });
});

test('an id that two messages begin with names neither', async () => {
  await using work = await scratchWork(busy);
  for (const number of [1, 2]) held(work.context, number);
  await expect(cancelMessage(work.context, { worker: 'adam', id: '0000' })).rejects.toMatchObject({
    message: '2 messages of adam begin with 0000',
  });
});

test('a message is typed as it was edited, or it is too late: passes and people at once', async () => {
  await using work = await scratchWork(busy);
  const { context } = work;
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  const ids = numbers.map((number) => held(context, number));
  const typed: string[] = [];
  /** A pass: it reads the row, and the keys take a moment. */
  const pass = () =>
    context.locks.withLock('adam', async () => {
      const row = nextDelivery(context.store.database, 'adam');
      if (row === undefined) return;
      updateDelivery(context.store.database, row.id, { state: 'typed', attempt: 1, incarnation: 1 });
      await new Promise<void>((resolve) => setImmediate(resolve));
      typed.push(row.text);
      updateDelivery(context.store.database, row.id, { state: 'done' });
    });
  const change = (id: string, index: number) =>
    (index % 3 === 0
      ? cancelMessage(context, { worker: 'adam', id }).then(() => ({ id, text: null }))
      : editMessage(context, { worker: 'adam', id, text: `better ${id}` }).then(({ text }) => ({ id, text }))
    ).catch(() => ({ id, text: undefined }));
  // The changes come from the end, the passes from the beginning: they meet in the middle.
  const passes: Promise<void>[] = [];
  const changing = ids.toReversed().map((id, index) => {
    passes.push(pass());
    return change(id, index);
  });
  const changes = await Promise.all(changing);
  await Promise.all(passes);
  while (nextDelivery(context.store.database, 'adam') !== undefined) await pass();
  for (const { id, text } of changes) {
    const words = `message ${Number(id)}`;
    if (text === null) expect(typed).not.toContain(words);
    else expect(typed.filter((one) => one === (text ?? words))).toHaveLength(1);
  }
  expect(typed).toHaveLength(numbers.length - changes.filter(({ text }) => text === null).length);
  for (const kind of ['string', 'object', 'undefined']) expect(changes.some(({ text }) => typeof text === kind)).toBe(true);
});
