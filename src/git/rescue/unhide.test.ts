import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { saveRescue } from './rescue.ts';

test.each(['--assume-unchanged', '--skip-worktree'])('a changed file with the mark %s is saved', async (mark) => {
  await using repo = await scratchRepo();
  await repo.commit('Begin', { a: '1\n', b: '1\n' });
  const { root, base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  await repo.run(['update-index', mark, 'a'], path);
  await repo.write('a', 'precious\n', path);
  const saved = await saveRescue(repo.git, { root, worktree: path, worker: 'adam', base, reason: 'test', now: 0 });
  expect(await repo.run(['show', `${saved?.sha}:a`], root)).toBe('precious');
});

test('a file that a sparse checkout left out is not saved as deleted', async () => {
  await using repo = await scratchRepo();
  await repo.commit('Begin', { a: '1\n', b: '1\n' });
  const { root, base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const save = () => saveRescue(repo.git, { root, worktree: path, worker: 'adam', base, reason: 'test', now: 0 });
  await repo.run(['update-index', '--skip-worktree', 'a'], path);
  await rm(join(path, 'a'));
  expect(await save()).toBeUndefined();
  await repo.write('b', '2\n', path);
  const saved = await save();
  expect(await repo.run(['ls-tree', '--name-only', saved?.sha ?? '', 'a', 'b'], root)).toBe('a\nb');
});
