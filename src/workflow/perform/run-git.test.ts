import { expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { runGit } from './run-git.ts';

test.each([
  ['.llmc-task/out/verdict.yaml', true],
  // The same folder on a file system that does not tell upper case from lower case.
  ['.LLMC-Task/out/verdict.yaml', true],
  ['.llmc-task', true],
  ['docs/.llmc-task/note.md', false],
  ['.llmc-tasks/note.md', false],
])('a commit with %s has the folder of tasks: %s', async (path, has) => {
  await using repo = await scratchRepo({ files: { 'a.txt': 'a\n' } });
  const { base, root } = await scratchRoot(repo);
  const git = runGit(repo.git, root, () => Promise.resolve(base));
  const commit = await repo.commit('Work', { [path]: 'verdict: approved\n' }, root);
  expect(await git.hasTaskFolder(commit)).toBe(has);
  expect(await git.hasTaskFolder(null)).toBe(false);
});

test('what a branch has on top of its base is counted, kept under the name of its stage, and shown as a patch', async () => {
  await using repo = await scratchRepo({ files: { 'a.txt': 'a\n' } });
  const { base, root, worktree: add } = await scratchRoot(repo);
  const worktree = await add('adam');
  const git = runGit(repo.git, root, () => Promise.resolve(base));
  expect(await git.work(worktree, base)).toEqual({ head: base, ahead: 0, dirty: false });
  const commit = await repo.commit('Work', { 'b.txt': 'b\n' }, worktree);
  await repo.write('loose.txt', 'loose\n', worktree);
  expect(await git.work(worktree, base)).toEqual({ head: commit, ahead: 1, dirty: true });
  expect(await git.work(worktree, null)).toMatchObject({ ahead: 1 });
  await git.keep('swarm-1', 'develop', commit);
  await git.keep('swarm-1', 'develop', commit);
  expect(await repo.run(['rev-parse', 'refs/llmc/runs/swarm-1/develop'], root)).toBe(commit);
  for (const from of [base, null]) expect(await git.diff(from, commit)).toContain('+++ b/b.txt');
  expect(await git.diff(commit, commit)).toBe('');
});
