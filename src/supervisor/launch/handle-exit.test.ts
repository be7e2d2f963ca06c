import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { findDelivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { CONVERSATION_DROPPED, recentHistory } from '../../store/tables/history.ts';
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

test.each(['typed', 'submitted'] as const)(
  'a %s prompt of an agent that has ended is not being typed, and keeps its state',
  async (state) => {
    const now = Date.now();
    const crashes = { last_crash_unix: Math.floor(now / 1_000) };
    for (const crash_count of [1, 2]) {
      await using work = await scratchWork({ worker: { status: 'working', agent: 'demo', crash_count, ...crashes } });
      const { store } = work.context;
      insertDelivery(store.database, ROW);
      updateDelivery(store.database, ROW.id, { state, attempt: 1, incarnation: 1, typed_ms: now });
      const watch = aWatch({ now, tmux: aTmuxWatch('gone', { ended: { since: now, passes: 2 } }) });
      await handleExit(work.context, watch, EXITED);
      // The first one waits for its restart, the second one for a person.
      expect(store.worker('adam').status).toBe(crash_count === 1 ? 'working' : 'error');
      expect(findDelivery(store.database, ROW.id)).toMatchObject({ state, reason: { kind: 'not_running' } });
    }
  },
);

const SELF = { kind: 'exited', how: 'crash', status: 1, signal: null } as const;

test.each([
  ['was killed', { ...SELF, status: null, signal: '9' } as const, [{ status: 2, signal: null }], { conversation_id: 'c-1' }],
  [
    'ended by itself',
    SELF,
    [
      { status: 2, signal: null },
      { status: 1, signal: null },
    ],
    { conversation_id: 'c-1' },
  ],
  ['ended by itself for the third time', SELF, [], { conversation_used: false }],
] as const)('an agent that %s before it had resumed its conversation', async (what, activity, exits, fields) => {
  const before = Array.from({ length: what.includes('third') ? 2 : 1 }, () => ({ status: 2, signal: null }));
  const talking = { conversation_id: 'c-1', conversation_used: true, resume_exits: before } as const;
  await using work = await scratchWork({ worker: { status: 'working', agent: 'demo', ...talking } });
  const { store, layout } = work.context;
  mkdirSync(join(layout.scratch('adam'), 'conversations'), { recursive: true });
  writeFileSync(join(layout.scratch('adam'), 'conversations', 'c-1.jsonl'), '');
  const now = Date.now();
  const watch = aWatch({ now, tmux: aTmuxWatch('gone', { ended: { since: now, passes: 2 } }) });
  watch.life = { ...watch.life, resumed: true };
  watch.exit = { counted: false, restartAt: now };
  await handleExit(work.context, watch, activity);
  expect(store.worker('adam')).toMatchObject({ incarnation: 2, crash_count: 1, resume_exits: exits, ...fields });
  const dropped = recentHistory(store.database, 'adam', 20).filter(({ kind }) => kind === CONVERSATION_DROPPED);
  expect(dropped).toHaveLength(exits.length === 0 ? 1 : 0);
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
