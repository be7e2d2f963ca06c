import { describe, expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import type { Store } from '../../store/store.ts';
import { insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import type { DeliveryReason } from '../../store/tables/delivery-reason.ts';
import { systemClock } from '../../system/clock.ts';
import { awaitDelivery, requireAgent } from './await-delivery.ts';
import { isWorthReporting, reasonText } from './delivery-reason-text.ts';

const BUSY = { kind: 'busy' } as const;
const STARTING = { kind: 'starting' } as const;
const NOT_RUNNING = { kind: 'not_running' } as const;
const ROW = { id: 'd1', worker: 'adam', purpose: 'task', text: 't' } as const;

function withRow(store: Store, state: 'queued' | 'held' | 'acked', reason: DeliveryReason | null = null): Store {
  insertDelivery(store.database, { ...ROW, fresh_conversation: 1, created_ms: 1 });
  updateDelivery(store.database, ROW.id, { state, reason });
  return store;
}

const waiting = (store: Store, signal: AbortSignal) => ({ store, signal, clock: systemClock, say: () => undefined });
const MINUTE = 60_000;

describe('a caller that waits for an acknowledgement', () => {
  test.each(['queued', 'held'] as const)('is told that a %s prompt was not delivered when the supervisor stops', async (state) => {
    using scratch = scratchStore();
    const stop = new AbortController();
    const waits = awaitDelivery(waiting(withRow(scratch.open(), state, BUSY), stop.signal), ROW.id, MINUTE);
    stop.abort();
    await expect(waits).rejects.toMatchObject({
      code: 'SUPERVISOR_NOT_RUNNING',
      message: expect.stringContaining('llmc sends it at the next up'),
      hint: 'llmc up --detach',
    });
  });

  test('hears of success when the agent had it before the supervisor stopped', async () => {
    using scratch = scratchStore();
    const waits = awaitDelivery(waiting(withRow(scratch.open(), 'acked'), AbortSignal.abort()), ROW.id, MINUTE);
    expect(await waits).toMatchObject({ state: 'acked' });
  });

  test('is sent away when time runs out, and the prompt stays queued', async () => {
    using scratch = scratchStore();
    const waits = awaitDelivery(waiting(withRow(scratch.open(), 'queued'), new AbortController().signal), ROW.id, 0);
    await expect(waits).rejects.toMatchObject({ code: 'WAIT_TIMEOUT', message: expect.stringContaining('stays queued') });
  });

  test('may be content with knowing that it is held', async () => {
    using scratch = scratchStore();
    const waits = awaitDelivery(
      waiting(withRow(scratch.open(), 'held', BUSY), new AbortController().signal),
      ROW.id,
      MINUTE,
      isWorthReporting,
    );
    expect(await waits).toMatchObject({ state: 'held', reason: 'the agent is busy', reason_kind: 'busy' });
  });

  test.each([
    { first: BUSY, ends: true },
    { first: STARTING, ends: false },
  ])('may be content with knowing what the one before it waits for: $first.kind', async ({ first, ends }) => {
    using scratch = scratchStore();
    const store = withRow(scratch.open(), 'held', first);
    insertDelivery(store.database, { ...ROW, id: 'd2', purpose: 'message', fresh_conversation: 0, created_ms: 2 });
    const said: string[] = [];
    const context = { store, signal: new AbortController().signal, clock: systemClock, say: (line: string) => said.push(line) };
    const words = reasonText(first, 0);
    const waits = awaitDelivery(context, 'd2', ends ? MINUTE : 0, isWorthReporting);
    await (ends
      ? expect(waits).resolves.toMatchObject({ id: 'd2', state: 'held', reason: words, reason_kind: first.kind })
      : expect(waits).rejects.toMatchObject({ code: 'WAIT_TIMEOUT', message: expect.stringContaining(words) }));
    expect(said).toEqual([`Held: ${words}`]);
  });

  test.each([
    [
      'a prompt that was typed, of an agent that was given up',
      { state: 'typed' },
      { status: 'error', attention: { kind: 'crashed', endings: 3 } },
      true,
    ],
    [
      'a prompt that was sent, of an agent that cannot start',
      { state: 'submitted' },
      { status: 'error', attention: { kind: 'cannot_start', cause: 'fatal' } },
      true,
    ],
    [
      'a prompt that waits, of a worker whose worktree is deleted',
      { state: 'queued' },
      { status: 'error', attention: { kind: 'worktree_deleted' } },
      true,
    ],
    [
      'a prompt that waits, of a worker that cannot come up',
      { state: 'queued' },
      { status: 'offline', attention: { kind: 'trouble', message: 'no', hint: null } },
      true,
    ],
    ['a prompt that waits, of a worker that comes up', { state: 'queued' }, { status: 'offline', attention: null }, false],
    [
      'a prompt that was typed, of an agent whose last turn failed',
      { state: 'typed' },
      { status: 'error', attention: { kind: 'agent_blocked', error: 'billing', message: 'no' } },
      false,
    ],
    [
      'a prompt behind one that was not delivered',
      { state: 'queued' },
      { status: 'error', attention: { kind: 'delivery_failed', reason: { kind: 'unproven' } } },
      false,
    ],
  ] as const)('of %s: is it sent away at once?', async (_, row, worker, ends) => {
    using scratch = scratchStore();
    const store = withRow(scratch.open(), 'queued');
    updateDelivery(store.database, ROW.id, row);
    store.changeWorker('adam', { kind: 'status', summary: 'changed', change: (draft) => Object.assign(draft, worker) });
    const waits = awaitDelivery(waiting(store, new AbortController().signal), ROW.id, ends ? MINUTE : 0, isWorthReporting);
    if (!ends) return await expect(waits).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
    const sent = await waits;
    expect(sent).toMatchObject({ state: 'held', reason_kind: 'not_running' });
    expect(() => requireAgent({ store }, sent)).toThrow(expect.objectContaining({ code: 'AGENT_CRASHED', hint: 'llmc why adam' }));
  });

  test.each(['held', 'queued'] as const)('is sent away when the agent is given up meanwhile, not before: %s', async (state) => {
    using scratch = scratchStore();
    // The prompt before it is held since the agent was given up the last time. The new prompt has moved the worker on.
    const store = withRow(scratch.open(), 'held', NOT_RUNNING);
    if (state === 'queued') insertDelivery(store.database, { ...ROW, id: 'd2', purpose: 'message', fresh_conversation: 0, created_ms: 2 });
    const id = state === 'queued' ? 'd2' : ROW.id;
    await expect(awaitDelivery(waiting(store, new AbortController().signal), id, 0, isWorthReporting)).rejects.toMatchObject({
      code: 'WAIT_TIMEOUT',
    });
    const waits = awaitDelivery(waiting(store, new AbortController().signal), id, MINUTE, isWorthReporting);
    store.changeWorker('adam', {
      kind: 'status',
      summary: 'its agent ended too often',
      change: (worker) => Object.assign(worker, { status: 'error', attention: { kind: 'crashed', endings: 3 } }),
    });
    const sent = await waits;
    expect(sent).toMatchObject({ id, state: 'held', reason_kind: 'not_running' });
    expect(() => requireAgent({ store }, sent)).toThrow(
      expect.objectContaining({
        code: 'AGENT_CRASHED',
        message: expect.stringContaining('stays queued for adam. The agent ended 3 times in a row.'),
        hint: 'llmc why adam',
      }),
    );
  });
});
