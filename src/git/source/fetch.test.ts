import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { NO_PUSH } from '../private/settings.ts';
import { addWorktree } from '../worktree/worktree.ts';
import { fetchMain, fetchMainCall } from './fetch.ts';

test('the call fetches one branch and nothing else', () => {
  expect(fetchMainCall('/root', 'main', '/source').args.slice(-3)).toEqual(['--', '/source', '+refs/heads/main:refs/remotes/origin/main']);
});

test('a fetch gives the new tip of main, and a rewritten main too', async () => {
  await using repo = await scratchRepo({ branch: 'trunk' });
  const { root, base } = await scratchRoot(repo);
  const next = await repo.commit('Next', { a: '1' });
  expect(await fetchMain(repo.git, root, 'trunk', repo.path)).toBe(next);
  await repo.run(['reset', '--hard', '--quiet', base]);
  const other = await repo.commit('Other', { b: '1' });
  expect(await fetchMain(repo.git, root, 'trunk', repo.path)).toBe(other);
});

test('fetching from two places at once gives both the answer', async () => {
  await using repo = await scratchRepo();
  const { root } = await scratchRoot(repo);
  const next = await repo.commit('Next', { a: '1' });
  const all = await Promise.all([1, 2, 3, 4].map(() => fetchMain(repo.git, root, 'main', repo.path)));
  expect(new Set(all)).toEqual(new Set([next]));
});

test('fetching while worktrees are made disturbs neither', async () => {
  await using repo = await scratchRepo();
  const { root, base } = await scratchRoot(repo);
  const workers = ['a', 'b', 'c', 'd', 'e', 'f'];
  const made = workers.map((worker) => addWorktree(repo.git, root, worker, join(root, '.worktrees', worker), base));
  const fetched = workers.map(() => fetchMain(repo.git, root, 'main', repo.path));
  expect((await Promise.all(made)).map(({ kind }) => kind)).toEqual(workers.map(() => 'created'));
  expect(new Set(await Promise.all(fetched))).toEqual(new Set([base]));
});

test('a source that is gone is SOURCE_MISSING with what to type', async () => {
  await using repo = await scratchRepo();
  const { root } = await scratchRoot(repo);
  await rename(repo.path, join(repo.dir, 'moved'));
  await expect(fetchMain(repo.git, root, 'main', repo.path)).rejects.toMatchObject({
    code: 'SOURCE_MISSING',
    message: expect.stringContaining(repo.path),
    hint: `Restore it, or, if it moved, set source under [repo] in ${root}/config.toml`,
  });
});

test('a source that moved is fetched from where the caller says, and what agents call origin follows', async () => {
  await using repo = await scratchRepo();
  const { root, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const moved = join(repo.dir, 'moved ü');
  await rename(repo.path, moved);
  const next = await repo.commit('Next', { a: '1' }, moved);
  expect(await fetchMain(repo.git, root, 'main', moved)).toBe(next);
  await repo.run(['fetch', '--quiet', 'origin'], path);
  expect(await repo.run(['remote', 'get-url', 'origin'], root)).toBe(moved);
  expect(await repo.run(['remote', 'get-url', '--push', 'origin'], root)).toBe(NO_PUSH);
});

test('a place that cannot be read does not become origin', async () => {
  await using repo = await scratchRepo();
  const { root } = await scratchRoot(repo);
  await expect(fetchMain(repo.git, root, 'main', join(repo.dir, 'nowhere'))).rejects.toMatchObject({ code: 'SOURCE_MISSING' });
  expect(await repo.run(['remote', 'get-url', 'origin'], root)).toBe(repo.path);
});

test('a branch that is gone is BRANCH_NOT_FOUND', async () => {
  await using repo = await scratchRepo();
  const { root } = await scratchRoot(repo);
  await repo.run(['branch', '-m', 'main', 'renamed']);
  await expect(fetchMain(repo.git, root, 'main', repo.path)).rejects.toMatchObject({ code: 'BRANCH_NOT_FOUND' });
});
