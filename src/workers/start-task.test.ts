import { describe, expect, test, vi } from 'vitest';
import { noonClock, type ScratchWork, scratchWork } from '../../test/support/scratch-work.ts';
import { localDay } from '../base/local-day.ts';
import { parseConfig } from '../config/parse.ts';
import { nextDelivery, updateDelivery } from '../store/tables/deliveries.ts';
import { countUsage } from '../store/tables/spending.ts';
import { addWorker } from './add-worker.ts';
import type { WorkContext } from './context.ts';
import { nukeWorker } from './nuke-worker.ts';
import { startTask } from './start-task.ts';

/** A second idle worker, and nobody to wait for: what a start gave is told by the worker's status. */
async function withBaker(context: WorkContext): Promise<void> {
  await addWorker(context, { name: 'baker', overrides: { agent: 'demo' } });
  context.store.commit({
    worker: 'baker',
    kind: 'status',
    summary: 'came back',
    state: (draft) => Object.assign(draft.workers.baker ?? {}, { status: 'idle', status_before_offline: null }),
  });
}

const PATIENCE_MS = 60_000;
const task = (prompt: string, worker?: string) => ({ prompt, worker, timeoutMs: 0 });
const notYet = { code: 'WAIT_TIMEOUT', message: expect.stringContaining('stays queued') };

test('a start that waits for one worker keeps nobody from the others', async () => {
  await using work = await scratchWork();
  const { context } = work;
  await withBaker(context);
  const busy = Promise.withResolvers<void>();
  const hand = context.locks.withLock('adam', () => busy.promise);
  const named = startTask(context, task('for adam', 'adam'));
  await expect(startTask(context, task('for anyone'))).rejects.toMatchObject(notYet);
  expect(context.store.worker('baker').current_prompt).toBe('for anyone');
  expect(context.store.worker('adam').current_prompt).toBeNull();
  busy.resolve();
  await hand;
  await expect(named).rejects.toMatchObject(notYet);
  expect(context.store.worker('adam').current_prompt).toBe('for adam');
});

test('a task says what it is to leave behind: the worker remembers it, and the agent is told', async () => {
  await using work = await scratchWork();
  const { store } = work.context;
  await expect(startTask(work.context, { ...task('Find out', 'adam'), expects: 'answer' })).rejects.toMatchObject(notYet);
  expect(store.worker('adam')).toMatchObject({ status: 'working', expects: 'answer' });
  expect(nextDelivery(store.database, 'adam')?.text).toContain('Change no files and commit nothing');
});

test('two starts at once go to two workers when one of them names its worker, whichever reads config.toml first', async () => {
  await using work = await scratchWork();
  await withBaker(work.context);
  const read = Promise.withResolvers<void>();
  const config = await work.context.config();
  // The first one waits for config.toml until the other has its worker.
  let readings = 0;
  const context: WorkContext = {
    ...work.context,
    config: async () => {
      readings += 1;
      if (readings === 1) await read.promise;
      return config;
    },
  };
  const named = startTask(context, task('for adam', 'adam'));
  const other = startTask(context, task('for anyone')).finally(read.resolve);
  const both = await Promise.allSettled([named, other]);
  expect(both).toMatchObject([{ reason: notYet }, { reason: notYet }]);
  expect([context.store.worker('adam').current_prompt, context.store.worker('baker').current_prompt]).toEqual(['for adam', 'for anyone']);
});

test('a start that waits for the agent fails at once when its worker is removed', async () => {
  await using work = await scratchWork();
  const { context } = work;
  const waits = startTask(context, { prompt: 'later', worker: 'adam', timeoutMs: 24 * 3_600_000 });
  const refusal = expect(waits).rejects.toMatchObject({
    code: 'DELIVERY_FAILED',
    message: 'the prompt was withdrawn: its worker was removed before the agent acknowledged it',
    hint: expect.stringContaining('llmc rescue list'),
  });
  await vi.waitFor(() => expect(context.store.worker('adam').status).toBe('working'), PATIENCE_MS);
  await nukeWorker(context, 'adam');
  await refusal;
});

describe('a budget that is used up', () => {
  /** A root whose budget can be changed, with more used today than the first one allows. */
  async function spent() {
    const current = { tokens: 100 };
    const work: ScratchWork = await scratchWork({
      context: {
        clock: noonClock,
        config: async () =>
          parseConfig(
            `[repo]\nsource = ${JSON.stringify(work.repo.path)}\nbranch = "main"\n[budget]\ntokens_per_day = ${current.tokens}\n[workers.adam]\nagent = "demo"\n`,
            'config.toml',
          ),
      },
    });
    countUsage(work.context.store.database, localDay(noonClock.now()), [{ conversation: 'c', tokens: 120, costUsd: 0 }]);
    return { work, current };
  }

  test('stops new tasks, with what to do about it', async () => {
    const { work } = await spent();
    await using _work = work;
    const refusal = {
      code: 'BUDGET_SPENT',
      message: expect.stringContaining('120 tokens today'),
      hint: expect.stringContaining('--queue'),
    };
    await expect(startTask(work.context, task('more'))).rejects.toMatchObject(refusal);
    await expect(startTask(work.context, task('more', 'adam'))).rejects.toMatchObject(refusal);
    expect(work.context.store.worker('adam')).toMatchObject({ status: 'idle', current_prompt: null });
  });

  test('adds no worker for a task that it stops', async () => {
    const { work } = await spent();
    await using _work = work;
    work.context.store.changeWorker('adam', {
      kind: 'test',
      summary: 'busy',
      change: (worker) => void Object.assign(worker, { status: 'working' }),
    });
    await expect(startTask(work.context, { ...task('more'), add: true })).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
    expect(Object.keys(work.context.store.state.workers)).toEqual(['adam']);
  });
});

test('nobody waits for an agent that ended too often: the start returns, and the prompt stays where it is', async () => {
  await using work = await scratchWork();
  const { context } = work;
  const started = startTask(context, { ...task('Fix it', 'adam'), timeoutMs: PATIENCE_MS });
  await vi.waitFor(() => expect(nextDelivery(context.store.database, 'adam')?.state).toBe('queued'), PATIENCE_MS);
  const { id = '' } = nextDelivery(context.store.database, 'adam') ?? {};
  context.store.commit({
    worker: 'adam',
    kind: 'status',
    summary: 'its agent ended too often',
    state: (draft) => Object.assign(draft.workers.adam ?? {}, { status: 'error', attention: { kind: 'crashed', endings: 3 } }),
    rows: (database) => updateDelivery(database, id, { state: 'held', reason: { kind: 'not_running' } }),
  });
  expect(await started).toMatchObject({ id, state: 'held', reason_kind: 'not_running' });
});
