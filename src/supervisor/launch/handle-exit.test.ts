import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { findDelivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { aTmuxWatch, aWatch, EXITED } from '../samples.ts';
import { handleExit } from './handle-exit.ts';

const ROW = { id: 'd1', worker: 'adam', purpose: 'message', text: 'hello', fresh_conversation: 0, created_ms: 1 } as const;

test.each([
  ['queued', null],
  ['held', { kind: 'starting' }],
] as const)('a %s prompt of an agent that is given up is held because the agent is not running', async (state, reason) => {
  const now = Date.now();
  const crashes = { crash_count: 2, last_crash_unix: Math.floor(now / 1_000) };
  await using work = await scratchWork({ worker: { status: 'working', agent: 'demo', ...crashes } });
  const { store } = work.context;
  insertDelivery(store.database, ROW);
  updateDelivery(store.database, ROW.id, { state, reason });
  const watch = aWatch({ now, tmux: aTmuxWatch('gone', { ended: { since: now, passes: 2 } }) });
  expect(await handleExit(work.context, watch, EXITED)).toBe(true);
  expect(store.worker('adam')).toMatchObject({ status: 'error', attention: { kind: 'crashed', endings: 3 } });
  expect(findDelivery(store.database, ROW.id)).toMatchObject({ state: 'held', reason: { kind: 'not_running' } });
});

test('an agent whose restart is not due costs nothing, and a clock that is set back makes it due', async () => {
  const now = Date.now();
  const crashes = { crash_count: 1, last_crash_unix: Math.floor(now / 1_000) };
  const time = { now };
  let asked = 0;
  await using work = await scratchWork({ worker: { status: 'working', agent: 'demo', ...crashes } });
  const config = async () => {
    asked += 1;
    return await work.context.config();
  };
  const context = { ...work.context, config, clock: { ...work.context.clock, now: () => time.now } };
  const watch = aWatch({ now, tmux: aTmuxWatch('gone', { ended: { since: now, passes: 2 } }) });
  expect(await handleExit(context, watch, EXITED)).toBe(false);
  expect((watch.exit.restartAt ?? 0) - now).toBeGreaterThanOrEqual(10_000);
  const before = asked;
  time.now = (watch.exit.restartAt ?? 0) - 1;
  expect(await handleExit(context, watch, EXITED)).toBe(false);
  expect(asked).toBe(before);
  time.now = now - 1;
  // One crash too many by now, so that the test starts no agent.
  context.store.changeWorker('adam', {
    kind: 'test',
    summary: 'crashed again',
    change: (worker) => Object.assign(worker, { crash_count: 2 }),
  });
  expect(await handleExit(context, watch, EXITED)).toBe(true);
  expect(context.store.worker('adam').status).toBe('error');
});
