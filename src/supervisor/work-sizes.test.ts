import { expect, test, vi } from 'vitest';
import { scratchWork } from '../../test/support/scratch-work.ts';
import { branchFacts } from './progress/apply-progress.ts';
import { WorkSizes } from './work-sizes.ts';

const PATIENCE_MS = 60_000;
const PICTURE = '\0\u0001binary';

test('work that waits for review is measured once per commit, from what the store has', async () => {
  const gits: string[] = [];
  await using work = await scratchWork({ onCommand: (words) => gits.push(words) });
  const { context, repo, worktree } = work;
  const { store } = context;
  const measured: string[] = [];
  const sizes = new WorkSizes(context, (name) => measured.push(name));
  const offer = async (message: string, files: Readonly<Record<string, string>>) => {
    await repo.commit(message, files, worktree);
    const { head } = await branchFacts(context, store.worker('adam'), 'main');
    store.changeWorker('adam', {
      kind: 'test',
      summary: 'offered',
      change: (worker) =>
        Object.assign(worker, { status: 'needs_review', commit_sha: head, attention: { kind: 'review', uncommitted: false } }),
    });
    return head;
  };

  const first = await offer('One', { 'new.txt': 'one\ntwo\n', 'picture.bin': PICTURE });
  await vi.waitFor(() => expect(measured).toEqual(['adam']), PATIENCE_MS);
  expect(store.worker('adam').work_size).toEqual({ commit: first, insertions: 2, deletions: 0, files: 2 });
  const asked = gits.length;
  store.commit({ worker: 'adam', kind: 'test', summary: 'something else' });
  await sizes.settled();
  expect(gits.length, 'processes of git for a commit that is known').toBe(asked);

  const second = await offer('Two', { 'new.txt': 'one\n' });
  await vi.waitFor(() => expect(measured).toEqual(['adam', 'adam']), PATIENCE_MS);
  expect(store.worker('adam').work_size).toEqual({ commit: second, insertions: 1, deletions: 0, files: 2 });
});

test('a commit that git cannot read is not asked for again, and keeps no other work from being measured', async () => {
  const gits: string[] = [];
  await using work = await scratchWork({ onCommand: (words) => gits.push(words) });
  const { store } = work.context;
  const sizes = new WorkSizes(work.context, () => undefined);
  store.changeWorker('adam', {
    kind: 'test',
    summary: 'offered',
    change: (worker) => Object.assign(worker, { status: 'needs_review', commit_sha: 'f'.repeat(40) }),
  });
  await sizes.settled();
  const asked = gits.length;
  store.commit({ worker: 'adam', kind: 'test', summary: 'something else' });
  await sizes.settled();
  expect(gits.length).toBe(asked);
  expect(store.worker('adam').work_size).toBeNull();
});
