import { describe, expect, test } from 'vitest';
import { scratchDatabase } from '../../../test/support/scratch-store.ts';
import { type Database, inTransaction } from '../database.ts';
import {
  ackedDeliveries,
  cancelDeliveries,
  type Delivery,
  type DeliveryState,
  findDelivery,
  insertDelivery,
  isAnswered,
  nextDelivery,
  pruneDeliveries,
  putBeforeMessages,
  recentDeliveries,
  typedDeliveries,
  updateDelivery,
  waitingDeliveries,
} from './deliveries.ts';
import { deliverySummary } from './delivery-summary.ts';

function insert(database: Database, id: string, worker = 'adam', state: DeliveryState = 'queued'): void {
  insertDelivery(database, {
    id,
    worker,
    purpose: 'task',
    text: `do ${id}`,
    fresh_conversation: 1,
    created_ms: 1_000,
  });
  if (state !== 'queued') updateDelivery(database, id, { state });
}

const ids = (rows: readonly { id: string }[]): readonly string[] => rows.map(({ id }) => id);

describe('a delivery', () => {
  test('begins queued, never tried, after all that came before it', () => {
    using scratch = scratchDatabase();
    insert(scratch.database, 'one');
    insert(scratch.database, 'two', 'baker');
    expect(findDelivery(scratch.database, 'two')).toMatchObject({
      seq: 2,
      worker: 'baker',
      state: 'queued',
      attempt: 0,
      text: 'do two',
      sent_text: null,
      changes: '[]',
      fresh_conversation: 1,
      reason: null,
      incarnation: null,
      after_event: null,
      acked_event: null,
      ack_source: null,
      typed_ms: null,
      done_ms: null,
    });
    expect(findDelivery(scratch.database, 'three')).toBeUndefined();
    expect(() => insert(scratch.database, 'one')).toThrow(/UNIQUE/);
  });

  test('that is urgent goes before the messages that wait, not before a task or what is typed already', () => {
    using scratch = scratchDatabase();
    const { database } = scratch;
    const order = () => ids(recentDeliveries(database, 'adam', 10)).toReversed();
    const message = (id: string, state: DeliveryState = 'queued') => {
      insert(database, id, 'adam', state);
      updateDelivery(database, id, { purpose: 'message' });
    };
    message('typed', 'typed');
    insert(database, 'task');
    message('alone');
    putBeforeMessages(database, 'adam', 'alone');
    expect(order()).toEqual(['typed', 'task', 'alone']);
    message('held', 'held');
    insert(database, 'other', 'baker');
    message('urgent');
    putBeforeMessages(database, 'adam', 'urgent');
    expect(order()).toEqual(['typed', 'task', 'urgent', 'alone', 'held']);
    message('more urgent');
    putBeforeMessages(database, 'adam', 'more urgent');
    expect(order()).toEqual(['typed', 'task', 'more urgent', 'urgent', 'alone', 'held']);
  });

  test('is changed only in the fields that are named, also back to nothing', () => {
    using scratch = scratchDatabase();
    insert(scratch.database, 'one');
    updateDelivery(scratch.database, 'one', { state: 'held', reason: { kind: 'busy' }, attempt: 2, incarnation: 3, typed_ms: 5 });
    updateDelivery(scratch.database, 'one', { reason: null });
    updateDelivery(scratch.database, 'one', {});
    expect(findDelivery(scratch.database, 'one')).toMatchObject({ state: 'held', reason: null, attempt: 2, incarnation: 3, typed_ms: 5 });
    expect(deliverySummary(scratch.database, 'adam')).toEqual({ id: 'one', state: 'held', attempt: 2, reason: null, pending: 1 });
    expect(deliverySummary(scratch.database, 'baker')).toBeNull();
  });

  test('keeps any text as it is', () => {
    using scratch = scratchDatabase();
    const text = `quote ' " \` $(x) ; DROP TABLE deliveries; -- 一 🌊 \u0000 tab\t\r\n${'x'.repeat(300_000)}`;
    insertDelivery(scratch.database, {
      id: "it's",
      worker: 'adam',
      purpose: 'message',
      text,
      fresh_conversation: 0,
      created_ms: 1,
    });
    expect(findDelivery(scratch.database, "it's")?.text === text).toBe(true);
  });

  test('is acknowledged by an event that acknowledges no other', () => {
    using scratch = scratchDatabase();
    insert(scratch.database, 'one');
    insert(scratch.database, 'two');
    updateDelivery(scratch.database, 'one', { state: 'acked', acked_event: 7 });
    expect(() => updateDelivery(scratch.database, 'two', { state: 'acked', acked_event: 7 })).toThrow(/UNIQUE/);
    // The screen as witness names no event.
    updateDelivery(scratch.database, 'one', { acked_event: null });
    updateDelivery(scratch.database, 'two', { state: 'acked', acked_event: null });
    expect(ids(ackedDeliveries(scratch.database, 'adam'))).toEqual(['one', 'two']);
  });
});

describe('of several deliveries', () => {
  test('the next is the oldest of the worker that has not reached the agent', () => {
    using scratch = scratchDatabase();
    const { database } = scratch;
    insert(database, 'done', 'adam', 'done');
    insert(database, 'failed', 'adam', 'failed');
    insert(database, 'acked', 'adam', 'acked');
    insert(database, 'theirs', 'baker');
    expect(nextDelivery(database, 'adam')).toBeUndefined();
    for (const state of ['queued', 'held', 'typed', 'submitted'] as const) insert(database, state, 'adam', state);
    for (const state of ['queued', 'held', 'typed', 'submitted'] as const) {
      expect(nextDelivery(database, 'adam')?.id).toBe(state);
      updateDelivery(database, state, { state: 'acked' });
    }
    expect(ids(ackedDeliveries(database, 'adam'))).toEqual(['acked', 'queued', 'held', 'typed', 'submitted']);
  });

  test('the latest come first where the latest are asked for', () => {
    using scratch = scratchDatabase();
    for (const id of ['one', 'two', 'three']) insert(scratch.database, id);
    insert(scratch.database, 'theirs', 'baker');
    expect(ids(recentDeliveries(scratch.database, 'adam', 2))).toEqual(['three', 'two']);
    expect(recentDeliveries(scratch.database, 'charlie', 2)).toEqual([]);
  });

  test('prompts that wait hide none that was typed, however many they are', () => {
    using scratch = scratchDatabase();
    const { database } = scratch;
    for (const id of ['one', 'two']) insert(database, id, 'adam', 'acked');
    for (const id of ['one', 'two']) updateDelivery(database, id, { typed_ms: 1 });
    insert(database, 'theirs', 'baker', 'acked');
    updateDelivery(database, 'theirs', { typed_ms: 1 });
    for (let index = 0; index < 30; index += 1) insert(database, `waits-${index}`, 'adam', index % 2 === 0 ? 'queued' : 'held');
    expect(ids(typedDeliveries(database, 'adam', 20))).toEqual(['two', 'one']);
    expect(ids(typedDeliveries(database, 'adam', 1))).toEqual(['two']);
    expect(ids(waitingDeliveries(database, 'adam'))).toEqual(Array.from({ length: 30 }, (_, index) => `waits-${index}`));
  });

  test('the summary shows the waiting delivery, else the latest', () => {
    using scratch = scratchDatabase();
    const { database } = scratch;
    for (const [id, state] of [
      ['one', 'done'],
      ['two', 'held'],
      ['three', 'queued'],
    ] as const)
      insert(database, id, 'adam', state);
    expect(deliverySummary(database, 'adam')).toMatchObject({ id: 'two', state: 'held', pending: 2 });
    updateDelivery(database, 'two', { state: 'acked' });
    expect(deliverySummary(database, 'adam')?.id).toBe('three');
    updateDelivery(database, 'three', { state: 'failed' });
    expect(deliverySummary(database, 'adam')?.id).toBe('three');
  });

  test('a cancel ends those on their way as failed and those that arrived as done, of that worker only', () => {
    using scratch = scratchDatabase();
    const { database } = scratch;
    const states = ['queued', 'held', 'typed', 'submitted', 'acked', 'done', 'failed'] as const;
    for (const state of states) insert(database, state, 'adam', state);
    insert(database, 'theirs', 'baker');
    cancelDeliveries(database, 'adam', { kind: 'worker_reset' }, 9_000);
    const after = recentDeliveries(database, 'adam', 10).toReversed();
    expect(after.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'failed', 'done', 'done', 'failed']);
    expect(findDelivery(database, 'typed')).toMatchObject({ reason: { kind: 'worker_reset' } });
    expect(findDelivery(database, 'acked')).toMatchObject({ done_ms: 9_000, reason: null });
    expect(findDelivery(database, 'failed')).toMatchObject({ reason: null });
    expect(findDelivery(database, 'theirs')).toMatchObject({ state: 'queued' });
  });
});

test('only settled ones are forgotten, the oldest first, when there are very many', () => {
  using scratch = scratchDatabase();
  const states: readonly DeliveryState[] = ['done', 'failed', 'queued', 'acked', 'held'];
  // One wait for the disk, not four thousand.
  inTransaction(scratch.database, () => {
    for (let index = 0; index < 2_010; index += 1) insert(scratch.database, `d${index}`, 'adam', states[index % 5] ?? 'done');
  });
  pruneDeliveries(scratch.database);
  expect(
    ids(recentDeliveries(scratch.database, 'adam', 3_000))
      .toReversed()
      .slice(0, 8),
  ).toEqual(['d2', 'd3', 'd4', 'd7', 'd8', 'd9', 'd10', 'd11']);
});

test.each<[string, DeliveryState, Partial<Delivery>, { reported: boolean; shown: boolean }]>([
  ['a task that was typed before', 'acked', { typed_ms: 8, submitted_ms: 9, after_event: 4 }, { reported: false, shown: false }],
  ['one that is on its way since before', 'submitted', { typed_ms: 8, submitted_ms: 9, after_event: 4 }, { reported: false, shown: true }],
  ['one that was typed since', 'acked', { typed_ms: 11, submitted_ms: 12, after_event: 5 }, { reported: true, shown: true }],
  ['a message that waits', 'held', { purpose: 'message' }, { reported: false, shown: false }],
  ['a word to go on that waits', 'held', { purpose: 'continue' }, { reported: true, shown: true }],
  [
    'one that is done, of an earlier stop',
    'done',
    { purpose: 'continue', typed_ms: 2, submitted_ms: 3, after_event: 1 },
    { reported: false, shown: false },
  ],
])('whether a stop at event 5, at 10 ms, is answered: %s', (_, state, fields, answered) => {
  using scratch = scratchDatabase();
  insert(scratch.database, 'one', 'adam', state);
  updateDelivery(scratch.database, 'one', fields);
  // However many wait behind it.
  for (let index = 0; index < 30; index += 1) insert(scratch.database, `later ${index}`);
  expect(isAnswered(scratch.database, 'adam', { event: 5, at: 10 })).toBe(answered.reported);
  expect(isAnswered(scratch.database, 'adam', { event: null, at: 10 })).toBe(answered.shown);
  expect(isAnswered(scratch.database, 'baker', { event: null, at: 0 })).toBe(false);
});
