import { expect, test } from 'vitest';
import { scratchWork } from '../../test/support/scratch-work.ts';
import { addWorker } from './add-worker.ts';
import type { WorkContext } from './context.ts';
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

const task = (prompt: string, worker?: string) => ({ prompt, worker, timeoutMs: 0 });
const notYet = { code: 'WAIT_TIMEOUT', message: expect.stringContaining('stays queued') };

test('a start that waits for one worker keeps nobody from the others', async () => {
  await using work = await scratchWork();
  const { context } = work;
  await withBaker(context);
  const busy = Promise.withResolvers<void>();
  const hand = context.hands.hold('adam', () => busy.promise);
  const named = startTask(context, task('for adam', 'adam'));
  await expect(startTask(context, task('for anyone'))).rejects.toMatchObject(notYet);
  expect(context.store.worker('baker').current_prompt).toBe('for anyone');
  expect(context.store.worker('adam').current_prompt).toBeNull();
  busy.resolve();
  await hand;
  await expect(named).rejects.toMatchObject(notYet);
  expect(context.store.worker('adam').current_prompt).toBe('for adam');
});

test('two starts at once go to two workers, also when the first of them says which', async () => {
  await using work = await scratchWork();
  const { context } = work;
  await withBaker(context);
  const both = await Promise.allSettled([startTask(context, task('for adam', 'adam')), startTask(context, task('for anyone'))]);
  expect(both).toMatchObject([{ reason: notYet }, { reason: notYet }]);
  expect([context.store.worker('adam').current_prompt, context.store.worker('baker').current_prompt]).toEqual(['for adam', 'for anyone']);
});

test('whoever waits in line when the supervisor stops is told so', async () => {
  const stop = new AbortController();
  await using work = await scratchWork({ worker: { status: 'working' }, context: { signal: stop.signal } });
  const waits = startTask(work.context, { prompt: 'later', queue: true, timeoutMs: 60_000 });
  stop.abort();
  await expect(waits).rejects.toMatchObject({ code: 'SUPERVISOR_NOT_RUNNING' });
});
