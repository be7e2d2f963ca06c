import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { demoAgent } from '../../agents/demo/adapter.ts';
import { type Delivery, findDelivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { aState, aWorker } from '../../workers/samples.ts';
import { NOTHING_REPORTED } from '../observe/reported.ts';
import { aWatch } from '../samples.ts';
import { correctFailed } from './correct-failed.ts';
import { reportsOn } from './delivery-view.ts';

const GIVEN_UP: Partial<Delivery> = {
  ...({ state: 'failed', reason: { kind: 'not_accepted', attempts: 3 }, attempt: 3, incarnation: 1 } as const),
  after_event: 4,
  typed_ms: 1_000,
  sent_text: 'go',
};
const FAILED = aWorker({ status: 'error', attention: { kind: 'delivery_failed', reason: { kind: 'not_accepted', attempts: 3 } } });

/** A prompt that was given up with these changes, and the agent's report of `text`. */
function correcting(changes: Partial<Delivery> = {}, text = 'go', worker = FAILED) {
  const scratch = scratchStore(aState(worker));
  const store = scratch.open();
  const add = (id: string, fields: Partial<Delivery>) => {
    insertDelivery(store.database, { id, worker: 'adam', purpose: 'message', text: 'go', fresh_conversation: 0, created_ms: 0 });
    updateDelivery(store.database, id, fields);
  };
  add('failed', { ...GIVEN_UP, ...changes });
  const reported = { ...NOTHING_REPORTED, accepted: [{ seq: 5, text, at: 2_000 }] };
  const watch = aWatch({ name: 'adam', incarnation: 1, reported });
  const context = { store, clock: scratch.clock, say: () => {} };
  const correct = (inFlight?: string) => {
    const row = inFlight === undefined ? undefined : findDelivery(store.database, inFlight);
    return correctFailed(context, watch, demoAgent, row && reportsOn(context, watch, row, demoAgent));
  };
  return { store, add, correct, row: (id: string) => findDelivery(store.database, id), [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

test('a prompt that was given up and is reported late is acknowledged, once, and its worker continues', () => {
  using late = correcting();
  expect(late.correct()).toBe(true);
  expect(late.row('failed')).toMatchObject({ state: 'acked', ack_source: 'hook', acked_event: 5, reason: null });
  expect(late.store.worker('adam')).toMatchObject({ status: 'working', attention: null });
  expect(late.correct()).toBe(false);
});

test('the same text that was sent again and not typed yet is over with it', () => {
  using late = correcting({}, 'go', aWorker({ status: 'working' }));
  late.add('again', {});
  late.add('typed', { state: 'submitted', attempt: 1, sent_text: 'go', incarnation: 1, after_event: 5, typed_ms: 3_000 });
  expect(late.correct()).toBe(true);
  expect(late.row('again')).toMatchObject({ state: 'done', reason: { kind: 'already_taken' } });
  expect(late.row('typed')).toMatchObject({ state: 'submitted' });
});

test('prompts that wait hide neither the one that was given up nor the same text', () => {
  using late = correcting();
  late.add('again', {});
  for (let index = 0; index < 30; index += 1) {
    late.add(`waits-${index}`, {});
    updateDelivery(late.store.database, `waits-${index}`, { text: 'another' });
  }
  expect(late.correct()).toBe(true);
  expect(late.row('failed')?.state).toBe('acked');
  expect(late.row('again')?.state).toBe('done');
});

test('the report of the prompt that was sent again belongs to that prompt', () => {
  using late = correcting({}, 'go', aWorker({ status: 'working' }));
  late.add('typed', { state: 'submitted', attempt: 1, sent_text: 'go', incarnation: 1, after_event: 4, typed_ms: 1_500 });
  expect(late.correct('typed')).toBe(false);
  expect(late.row('failed')?.state).toBe('failed');
});

test('a report of exactly its text is not taken by a prompt in flight that the text only holds', () => {
  using late = correcting({ sent_text: 'go home' }, 'go home', aWorker({ status: 'working' }));
  late.add('typed', { state: 'submitted', attempt: 1, sent_text: 'go', incarnation: 1, after_event: 4, typed_ms: 1_500 });
  expect(late.correct('typed')).toBe(true);
});

test.each<[string, Partial<Delivery>, string]>([
  ['that is not reported', {}, 'something else'],
  ['that is reported with a person’s words', {}, 'go, please'],
  ['of an earlier incarnation', { incarnation: 0 }, 'go'],
  ['that a reset ended', { reason: { kind: 'worker_reset' } }, 'go'],
  ['whose report is older than its typing', { after_event: 5 }, 'go'],
])('a prompt %s stays as it is', (_, changes, text) => {
  using late = correcting(changes, text);
  expect(late.correct()).toBe(false);
  expect(late.row('failed')?.state).toBe('failed');
  expect(late.store.worker('adam').status).toBe('error');
});
