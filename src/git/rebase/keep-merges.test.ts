import { expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { mergeInto } from '../../../test/support/work-with-merge.ts';
import { readCommitId } from '../inspect.ts';
import { listRescues } from '../rescue/rescue.ts';
import type { Git } from '../run.ts';
import { fetchMain } from '../source/fetch.ts';
import { resetInPlace } from '../worktree/reset.ts';
import { endLeftRebase } from './end-rebase.ts';
import { rebaseOnto } from './rebase.ts';
import { readRebaseRecord, writeRebaseRecord } from './rebase-record.ts';

/** Work with a merge commit that adds a file itself, below a main that has moved. */
async function mergedWork(repo: ScratchRepo) {
  const { root, source, worktree } = await scratchRoot(repo);
  const at = await worktree('adam');
  await repo.commit('Work', { 'work.txt': 'work\n' }, at);
  await mergeInto(repo, at);
  await repo.commit('Main', { 'main.txt': 'main\n' });
  const onto = await fetchMain(repo.git, root, source.branch, source.path);
  return { root, at, onto, from: await readCommitId(repo.git, at) };
}

/** As an llmc leaves it that was killed after git's rebase. */
async function rebasedWithoutMerges(repo: ScratchRepo) {
  const work = await mergedWork(repo);
  writeRebaseRecord(work.at, { endedBy: 'llmc', from: work.from, onto: work.onto, merges: true });
  await repo.run(['rebase', '--quiet', work.onto], work.at);
  return work;
}

const files = async (repo: ScratchRepo, at: string) => (await repo.run(['ls-tree', '--name-only', 'HEAD'], at)).trim().split('\n');

test('after a crash, what the merge itself changed is put back', async () => {
  await using repo = await scratchRepo();
  const { at } = await rebasedWithoutMerges(repo);
  expect(await files(repo, at)).not.toContain('of-the-merge.txt');
  await endLeftRebase(repo.git, at);
  expect(await files(repo, at)).toEqual(expect.arrayContaining(['of-the-merge.txt', 'work.txt', 'main.txt']));
  expect(readRebaseRecord(at)).toBeUndefined();
});

test('a commit that the agent made after the crash keeps its files, and the work from before is saved', async () => {
  await using repo = await scratchRepo();
  const { at, root } = await rebasedWithoutMerges(repo);
  await repo.commit('More', { 'more.txt': 'more\n' }, at);
  await endLeftRebase(repo.git, at);
  expect(await files(repo, at)).toContain('more.txt');
  const [saved] = await listRescues(repo.git, root, 'adam');
  expect(await repo.run(['ls-tree', '--name-only', saved?.sha ?? ''], at)).toContain('of-the-merge.txt');
});

test('work that was reset since is not replaced by the work from before', async () => {
  await using repo = await scratchRepo();
  const { at, onto } = await rebasedWithoutMerges(repo);
  await resetInPlace(repo.git, at, onto, 'llmc/adam');
  await repo.commit('Next', { 'next.txt': 'next\n' }, at);
  await endLeftRebase(repo.git, at);
  expect(await files(repo, at)).toContain('next.txt');
  expect(await files(repo, at)).not.toContain('work.txt');
});

test('a rebase whose last step fails puts the changes of the merge back at the next attempt', async () => {
  await using repo = await scratchRepo();
  const { at, onto } = await mergedWork(repo);
  const ok: Git['ok'] = async (call, options) => {
    if (call.args.includes('read-tree')) throw new Error('index.lock exists');
    return await repo.git.ok(call, options);
  };
  const locked: Git = { ...repo.git, run: (call, options) => repo.git.run(call, options), ok };
  await expect(rebaseOnto(locked, at, onto)).rejects.toThrow('index.lock exists');
  expect(await rebaseOnto(repo.git, at, onto)).toMatchObject({ kind: 'up-to-date' });
  expect(await files(repo, at)).toContain('of-the-merge.txt');
});
