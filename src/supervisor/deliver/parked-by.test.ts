import { describe, expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import type { FailedTurn } from '../../recovery/decide-failed-turn.ts';
import { type Delivery, findDelivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { aConfig, aState, aWorker } from '../../workers/samples.ts';
import { aWatch } from '../samples.ts';
import { parkedBy } from './parked-by.ts';

const FAILED: FailedTurn = {
  error: 'overloaded',
  message: 'm',
  event: 7,
  since_ms: 1_000,
  attempt: 1,
  attempts: 6,
  until_ms: 61_000,
};
const HELD = { kind: 'behind_failed_turn', until_ms: 61_000 };

/** Why the first of these prompts waits after the failed turn. */
function first(failed_turn: FailedTurn | null, created: readonly number[], changes: Partial<Delivery> = {}) {
  using scratch = scratchStore(aState(aWorker({ status: 'working', current_prompt: 'Build it', failed_turn })));
  const store = scratch.open();
  for (const [index, created_ms] of created.entries())
    insertDelivery(store.database, { id: `${index}`, worker: 'adam', purpose: 'message', text: 'm', fresh_conversation: 0, created_ms });
  updateDelivery(store.database, '0', changes);
  const row = findDelivery(store.database, '0');
  if (row === undefined) throw new Error('no row');
  return parkedBy({ store }, aWatch(), row, aConfig(''), 2_000);
}

describe('a message', () => {
  test('that waited before a turn failed does not take the place of the interrupted task', () => {
    expect(first(FAILED, [900])).toEqual(HELD);
    expect(first(FAILED, [900, 950], { state: 'held', reason: { kind: 'busy' } })).toEqual(HELD);
  });

  test('that a person sent after the failure goes out, and those before it', () => {
    expect(first(FAILED, [1_500])).toBeUndefined();
    expect(first(FAILED, [900, 1_500])).toBeUndefined();
  });

  test('is free when the agent was told to continue, when no turn failed, and when it is on its way already', () => {
    expect(first({ ...FAILED, until_ms: null }, [900])).toBeUndefined();
    expect(first(null, [900])).toBeUndefined();
    expect(first(FAILED, [900], { state: 'typed', typed_ms: 950 })).toBeUndefined();
  });
});
