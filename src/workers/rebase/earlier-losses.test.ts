import { expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { recentDeliveries, updateDelivery } from '../../store/tables/deliveries.ts';
import { acceptWork } from '../accept-work.ts';
import { reviewWork } from '../review-work.ts';
import { advanceResolution } from './advance-resolution.ts';
import { rebaseWork } from './rebase-work.ts';

const BOTH = 'main\nThe sea is deep\nworker\n';

async function turnEnds({ context }: ScratchWork): Promise<void> {
  context.store.commit({
    worker: 'adam',
    kind: 'test',
    summary: 'the turn ended',
    rows: (database) => {
      for (const { id } of recentDeliveries(database, 'adam', 9)) updateDelivery(database, id, { state: 'done', done_ms: 1 });
    },
  });
  await advanceResolution(context, 'adam');
}

/** As an agent resolves a conflict in `path`. */
async function resolves(work: ScratchWork, path: string, text: string): Promise<void> {
  const { repo, worktree, context } = work;
  await rebaseWork(context, { worker: 'adam' });
  await repo.write(path, text, worktree);
  await repo.run(['add', path], worktree);
  await repo.run(['-c', 'core.editor=true', 'rebase', '--continue'], worktree);
  await turnEnds(work);
}

function finished({ context }: ScratchWork, commit: string): void {
  const change = { status: 'needs_review', commit_sha: commit, current_prompt: 'Write', attention: null } as const;
  context.store.changeWorker('adam', { kind: 'test', summary: 'finished', change: (worker) => Object.assign(worker, change) });
}

/** adam has resolved a conflict in `a.txt` with this text, and was asked about it once more. */
async function resolvedWith(text: string): Promise<ScratchWork> {
  const work = await scratchWork({ context: { supervised: true } });
  const { repo, worktree } = work;
  await repo.commit('Two files', { 'a.txt': 'old\n', 'b.txt': 'old\n' });
  await repo.run(['pull', '--quiet', '--rebase', repo.path, 'main'], worktree);
  finished(work, await repo.commit('Worker', { 'a.txt': 'worker\n', 'b.txt': 'b of the worker\n' }, worktree));
  await repo.commit('Main', { 'a.txt': 'main\nThe sea is deep\n' });
  await resolves(work, 'a.txt', text);
  await turnEnds(work);
  expect(work.context.store.worker('adam')).toMatchObject({ status: 'needs_review', attention: { kind: 'resolved' } });
  return work;
}

const acceptance = ({ context }: ScratchWork) => acceptWork(context, { worker: 'adam', requireReview: true });
const droppedNow = async ({ context }: ScratchWork) =>
  (await reviewWork(context, { worker: 'adam' })).proof?.dropped.map(({ text }) => text);

test('lines that a conflict lost still stop the work after its agent has committed something else', async () => {
  await using work = await resolvedWith('worker\n');
  const { repo, worktree } = work;
  finished(work, await repo.commit('Something else', { 'c.txt': 'c\n' }, worktree));
  expect(await droppedNow(work)).toContain('The sea is deep');
  await expect(acceptance(work)).rejects.toMatchObject({ code: 'LINES_DROPPED' });
  finished(work, await repo.commit('Bring the lines back', { 'a.txt': BOTH }, worktree));
  expect(await droppedNow(work)).toEqual([]);
  await acceptance(work);
});

test('a trailer in a later commit explains a line that a conflict lost', async () => {
  await using work = await resolvedWith('main\nworker\n');
  const { repo, worktree } = work;
  finished(work, await repo.commit('Say why\n\nDropped: a.txt: The sea is deep', { 'c.txt': 'c\n' }, worktree));
  await reviewWork(work.context, { worker: 'adam' });
  await acceptance(work);
});

test('conflict markers still stop the work after its agent has committed something else', async () => {
  await using work = await resolvedWith('<<<<<<< HEAD\nmain\nThe sea is deep\n=======\nworker\n>>>>>>> Worker\n');
  finished(work, await work.repo.commit('Something else', { 'c.txt': 'c\n' }, work.worktree));
  expect((await reviewWork(work.context, { worker: 'adam' })).proof?.stops).toMatchObject([{ kind: 'markers', path: 'a.txt' }]);
  await expect(acceptance(work)).rejects.toMatchObject({ code: 'LINES_DROPPED' });
});

test('a second conflict that is resolved well does not hide what the first one lost', async () => {
  await using work = await resolvedWith('worker\n');
  await work.repo.commit('Main again', { 'b.txt': 'b of main\n' });
  await resolves(work, 'b.txt', 'b of main\nb of the worker\n');
  await turnEnds(work);
  expect(work.context.store.worker('adam')).toMatchObject({ status: 'needs_review', attention: { kind: 'resolved' } });
  expect(await droppedNow(work)).toContain('The sea is deep');
  await expect(acceptance(work)).rejects.toMatchObject({ code: 'LINES_DROPPED' });
});

test('a line that the first conflict lost and the second one brings back is right', async () => {
  await using work = await resolvedWith('worker\n');
  await work.repo.commit('Main again', { 'a.txt': 'main\nThe sea is deep\nand wide\n' });
  await resolves(work, 'a.txt', 'main\nThe sea is deep\nand wide\nworker\n');
  expect(work.context.store.worker('adam').attention).toMatchObject({ kind: 'resolved', lost: 0 });
});
