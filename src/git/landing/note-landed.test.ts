import { expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { headOf } from '../inspect.ts';
import { fetchMain } from '../source/fetch.ts';
import { noteLanded } from './note-landed.ts';

test('the record of main moves to what landed', async () => {
  await using repo = await scratchRepo();
  const { root, base, worktree } = await scratchRoot(repo);
  const sha = await repo.commit('Work', { a: 'a\n' }, await worktree('adam'));
  expect(await noteLanded(repo.git, root, 'main', sha, base)).toBe(sha);
  expect(await headOf(repo.git, root, 'origin/main')).toBe(sha);
  expect(await noteLanded(repo.git, root, 'main', sha, base)).toBe(sha);
});

test('a fetch that has seen main further on is not taken back', async () => {
  await using repo = await scratchRepo();
  const { root, base } = await scratchRoot(repo);
  const sha = await repo.commit('Landed', { a: 'a\n' });
  const later = await repo.commit('Later', { b: 'b\n' });
  await fetchMain(repo.git, root, 'main', repo.path);
  expect(await noteLanded(repo.git, root, 'main', sha, base)).toBe(later);
  expect(await headOf(repo.git, root, 'origin/main')).toBe(later);
});

test('a record that does not hold what landed is an error', async () => {
  await using repo = await scratchRepo();
  const { root, base, worktree } = await scratchRoot(repo);
  const sha = await repo.commit('Work', { a: 'a\n' }, await worktree('adam'));
  await repo.commit('Other', { b: 'b\n' });
  await fetchMain(repo.git, root, 'main', repo.path);
  await expect(noteLanded(repo.git, root, 'main', sha, base)).rejects.toMatchObject({ code: 'GIT_FAILED' });
});
