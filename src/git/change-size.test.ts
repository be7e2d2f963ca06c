import { expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../test/support/scratch-repo.ts';
import { changeSize } from './change-size.ts';

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
