import { expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { readCommitId } from '../inspect.ts';
import { fetchMain } from '../source/fetch.ts';
import { noteLanded } from './note-landed.ts';

test('the record of main moves to what landed', async () => {
  await using repo = await scratchRepo();
  const { root, base, worktree } = await scratchRoot(repo);
  const sha = await repo.commit('Work', { a: 'a\n' }, await worktree('adam'));
  expect(await noteLanded(repo.git, root, 'main', sha, base)).toBe(sha);
  expect(await readCommitId(repo.git, root, 'origin/main')).toBe(sha);
  expect(await noteLanded(repo.git, root, 'main', sha, base)).toBe(sha);
});

test('a fetch that has seen main further on is not taken back', async () => {
  await using repo = await scratchRepo();
  const { root, base } = await scratchRoot(repo);
  const sha = await repo.commit('Landed', { a: 'a\n' });
  const later = await repo.commit('Later', { b: 'b\n' });
  await fetchMain(repo.git, root, 'main', repo.path);
  expect(await noteLanded(repo.git, root, 'main', sha, base)).toBe(later);
  expect(await readCommitId(repo.git, root, 'origin/main')).toBe(later);
});

test('a record that does not hold what landed is an error', async () => {
  await using repo = await scratchRepo();
  const { root, base, worktree } = await scratchRoot(repo);
  const sha = await repo.commit('Work', { a: 'a\n' }, await worktree('adam'));
  await repo.commit('Other', { b: 'b\n' });
  await fetchMain(repo.git, root, 'main', repo.path);
  await expect(noteLanded(repo.git, root, 'main', sha, base)).rejects.toMatchObject({ code: 'GIT_FAILED' });
});

test('the work of an accept is kept with it, and the one that is too old goes', async () => {
  await using repo = await scratchRepo();
  const { root, base, worktree } = await scratchRoot(repo);
  const at = await worktree('adam');
  const work = await repo.commit('Work', { a: 'a\n' }, at);
  const sha = await repo.commit('Squashed', { a: 'a\n', b: 'b\n' }, at);
  const kept = () => repo.run(['for-each-ref', '--format=%(refname) %(objectname)', 'refs/llmc/landed'], root);
  await noteLanded(repo.git, root, 'main', sha, base, { landing: 'one', work, tooOld: 'long-gone' });
  expect(await kept()).toBe(`refs/llmc/landed/one ${work}`);
  // A symbolic ref of an agent in its place: the branch that it names stays.
  await repo.run(['symbolic-ref', 'refs/llmc/landed/two', 'refs/heads/llmc/adam'], root);
  await noteLanded(repo.git, root, 'main', sha, sha, { landing: 'two', work, tooOld: 'one' });
  expect(await kept()).toBe(`refs/llmc/landed/two ${work}`);
  expect(await readCommitId(repo.git, root, 'llmc/adam')).toBe(sha);
  // A commit that git does not have any more must not stop the record of main.
  await noteLanded(repo.git, root, 'main', work, sha, { landing: 'three', work: 'f'.repeat(40) }).catch(() => undefined);
  expect(await readCommitId(repo.git, root, 'origin/main')).toBe(sha);
});
