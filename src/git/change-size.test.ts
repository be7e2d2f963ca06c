import { expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../test/support/scratch-repo.ts';
import { changeSize } from './change-size.ts';
import { readChange } from './diff.ts';

test('counts what the work changes since it left main, also what its attributes would hide', async () => {
  await using repo = await scratchRepo();
  const { root, worktree } = await scratchRoot(repo);
  const at = await worktree('adam');
  await repo.commit('One', { 'a.txt': '1\n2\n3\n', '.gitattributes': '* -diff\n' }, at);
  const commit = await repo.commit('Two', { 'a.txt': '1\n2\n', 'README.md': 'x\n' }, at);
  const { added, files, removed } = await changeSize(repo.git, root, 'main', commit, async () => new Set());
  expect({ added, files, removed }).toEqual({ files: 3, added: 4, removed: 1 });
  await expect(changeSize(repo.git, root, 'main', 'f'.repeat(40), async () => new Set())).rejects.toMatchObject({ code: 'GIT_FAILED' });
});

test('a renamed file counts as in the review of the same work', async () => {
  await using repo = await scratchRepo();
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
  await repo.commit('Long', { 'old name.txt': lines.join('') });
  const { root, worktree } = await scratchRoot(repo);
  const at = await worktree('adam');
  await repo.run(['mv', 'old name.txt', 'new name.txt'], at);
  const commit = await repo.commit('Rename', { 'new name.txt': lines.with(4, 'line four\n').join('') }, at);
  const size = await changeSize(repo.git, root, 'main', commit, async () => new Set());
  expect(size).toEqual({ files: 1, added: 1, removed: 1 });
  const { files } = await readChange(repo.git, root, `${commit}~1`, commit);
  expect(files).toMatchObject([{ status: 'R', added: 1, removed: 1 }]);
});
