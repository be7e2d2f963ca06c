import { expect, test } from 'vitest';
import { scratchWork } from '../../test/support/scratch-work.ts';
import type { Status } from '../store/statuses.ts';
import { addWorker } from './add-worker.ts';
import type { WorkContext } from './context.ts';
import { waitForAny } from './wait-for.ts';

const PATIENCE_MS = 60_000;

function becomes({ store }: WorkContext, worker: string, status: Status): void {
  store.commit({
    worker,
    kind: 'status',
    summary: status,
    state: (draft) => Object.assign(draft.workers[worker] ?? {}, { status, status_before_offline: null }),
  });
}

test('the wait for any worker ends with the first that has the status, also one that was added later', async () => {
  await using work = await scratchWork();
  const { context } = work;
  const wanted = { statuses: ['needs_review', 'error'], timeoutMs: PATIENCE_MS } as const;
  const [ofAll, named] = [waitForAny(context, { ...wanted, workers: [] }), waitForAny(context, { ...wanted, workers: ['adam'] })];
  await addWorker(context, { name: 'baker', overrides: { agent: 'demo' } });
  becomes(context, 'baker', 'needs_review');
  expect(await ofAll).toMatchObject({ name: 'baker', status: 'needs_review' });
  becomes(context, 'adam', 'error');
  expect(await named).toMatchObject({ name: 'adam', status: 'error' });
});

test('a wait for any worker that runs out of time names what it waited for', async () => {
  await using work = await scratchWork();
  const wait = waitForAny(work.context, { workers: ['adam'], statuses: ['error', 'needs_input'], timeoutMs: 0 });
  await expect(wait).rejects.toMatchObject({ code: 'WAIT_TIMEOUT', message: 'none of adam is error or needs_input', hint: 'llmc status' });
});
