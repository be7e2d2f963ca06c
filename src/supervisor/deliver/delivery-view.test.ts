import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { findDelivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { earlierDeliveries } from './delivery-view.ts';

test('earlier prompts are those that were sent: one that never went out is not in the box', () => {
  using scratch = scratchStore();
  const store = scratch.open();
  const { database } = store;
  const add = (id: string) =>
    insertDelivery(database, { id, worker: 'adam', purpose: 'message', text: id, fresh_conversation: 0, created_ms: 0 });
  for (const id of ['task', 'never-sent', 'now']) add(id);
  updateDelivery(database, 'task', { state: 'acked', sent_text: 'task', typed_ms: 1 });
  updateDelivery(database, 'never-sent', { state: 'failed', reason: { kind: 'told_again' } });
  const row = findDelivery(database, 'now');
  if (row === undefined) throw new Error('no row');
  expect(earlierDeliveries(store, row).map(({ id }) => id)).toEqual(['task']);
});
