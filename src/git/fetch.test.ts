import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../test/support/scratch-repo.ts';
import { fetchMain, fetchMainCall } from './fetch.ts';
import { addWorktree } from './worktree.ts';

test('the call fetches one branch and nothing else', () => {
  expect(fetchMainCall('/root', 'main').args.slice(-2)).toEqual(['origin', '+refs/heads/main:refs/remotes/origin/main']);
});

test('a fetch gives the new tip of main, and a rewritten main too', async () => {
  await using repo = await scratchRepo({ branch: 'trunk' });
  const { root, base } = await scratchRoot(repo);
  const next = await repo.commit('Next', { a: '1' });
  expect(await fetchMain(repo.git, root, 'trunk')).toBe(next);
  await repo.run(['reset', '--hard', '--quiet', base]);
  const other = await repo.commit('Other', { b: '1' });
  expect(await fetchMain(repo.git, root, 'trunk')).toBe(other);
});

test('fetching from two places at once gives both the answer', async () => {
  await using repo = await scratchRepo();
  const { root } = await scratchRoot(repo);
  const next = await repo.commit('Next', { a: '1' });
  const all = await Promise.all([1, 2, 3, 4].map(() => fetchMain(repo.git, root, 'main')));
  expect(new Set(all)).toEqual(new Set([next]));
});

test('fetching while worktrees are made disturbs neither', async () => {
  await using repo = await scratchRepo();
  const { root, base } = await scratchRoot(repo);
  const workers = ['a', 'b', 'c', 'd', 'e', 'f'];
  const made = workers.map((worker) => addWorktree(repo.git, root, worker, join(root, '.worktrees', worker), base));
  const fetched = workers.map(() => fetchMain(repo.git, root, 'main'));
  expect((await Promise.all(made)).map(({ kind }) => kind)).toEqual(workers.map(() => 'created'));
  expect(new Set(await Promise.all(fetched))).toEqual(new Set([base]));
});

test('a source that is gone is SOURCE_MISSING with what to type', async () => {
  await using repo = await scratchRepo();
  const { root } = await scratchRoot(repo);
  await rename(repo.path, join(repo.dir, 'moved'));
  await expect(fetchMain(repo.git, root, 'main')).rejects.toMatchObject({
    code: 'SOURCE_MISSING',
    message: expect.stringContaining(repo.path),
    hint: expect.stringContaining('remote set-url'),
  });
});

test('a branch that is gone is BRANCH_NOT_FOUND', async () => {
  await using repo = await scratchRepo();
  const { root } = await scratchRoot(repo);
  await repo.run(['branch', '-m', 'main', 'renamed']);
  await expect(fetchMain(repo.git, root, 'main')).rejects.toMatchObject({ code: 'BRANCH_NOT_FOUND' });
});
