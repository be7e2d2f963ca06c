import { expect, test } from 'vitest';
import { type Conflicting, conflicting } from '../../../test/support/scratch-conflict.ts';
import { rebaseWork } from '../../workers/rebase/rebase-work.ts';
import { anAssessment, aWatch, READY } from '../samples.ts';
import { applyProgress } from './apply-progress.ts';

const MAIN_AND_WORKER = 'main\nThe sea is deep\nworker\n';

/** A person sent the work back, whose conflict was resolved with this text; the agent commits, and its turn ends. */
async function turnAfter(resolved: string, files: Readonly<Record<string, string>>): Promise<Conflicting> {
  const work = await conflicting();
  const { context, repo, worktree } = work;
  await rebaseWork(context, { worker: 'adam' });
  await work.resolve(resolved);
  await work.turnEnds();
  if (context.store.worker('adam').status === 'rebasing') await work.turnEnds();
  context.store.changeWorker('adam', {
    ...{ kind: 'test', summary: 'rejected' },
    change: (worker) => Object.assign(worker, { status: 'rejected', attention: null }),
  });
  await repo.commit('More', files, worktree);
  const watch = aWatch({ now: 0 });
  expect(await applyProgress(context, watch, anAssessment(READY), await context.config())).toBe(true);
  expect(context.store.worker('adam').status).toBe('needs_review');
  return work;
}

test('the end of a turn says what a later commit has lost of a resolved conflict', async () => {
  await using work = await turnAfter(MAIN_AND_WORKER, { 'a.txt': 'worker\n' });
  expect(work.context.store.worker('adam').attention).toMatchObject({ kind: 'resolved', branch: 'main', lost: 2 });
});

test('the end of a turn names the rescue while the resolution still lacks something', async () => {
  await using work = await turnAfter('worker\n', { 'b.txt': 'b\n' });
  const { rescue } = work.row() ?? {};
  expect(work.context.store.worker('adam').attention).toMatchObject({ kind: 'resolved', rescue, lost: expect.any(Number) });
  expect(rescue).toEqual(expect.stringMatching(/^adam\//));
});

test('the end of a turn that lost nothing asks for the review alone', async () => {
  await using work = await turnAfter(MAIN_AND_WORKER, { 'b.txt': 'b\n' });
  expect(work.context.store.worker('adam').attention).toEqual({ kind: 'review', uncommitted: false });
});
