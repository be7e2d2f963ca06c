import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { begunWorktree as begun } from '../../../test/support/hostile-repo.ts';
import { addSubmodule, type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { readStatus } from '../inspect.ts';
import { requireWhole } from '../rescue/rescue.ts';
import { removeWorktree } from './worktree.ts';

describe('a link', () => {
  async function linked(repo: ScratchRepo, nested: string) {
    const remote = await addSubmodule(repo);
    if (nested !== 'lib') {
      await mkdir(join(repo.path, 'deep'));
      await repo.run(['mv', 'lib', nested]);
      await repo.commit('Move it', {});
    }
    const all = await begun(repo);
    const outside = join(repo.dir, 'outside');
    await repo.write('file', 'precious\n', outside);
    await repo.write('lib/file', 'precious\n', outside);
    const untouched = async () => {
      for (const file of ['file', 'lib/file']) expect(await repo.read(file, outside)).toBe('precious\n');
    };
    return { ...all, remote, outside, untouched };
  }

  test.for(['a folder', 'a repository', 'nothing'])(
    'to %s in place of a submodule is saved as a link, and reset and nuke remove only it',
    async (what) => {
      await using repo = await scratchRepo();
      const { root, path, save, reset, outside, untouched } = await linked(repo, 'lib');
      if (what === 'a repository') await repo.run(['init', '--quiet', outside], '/');
      const target = what === 'nothing' ? join(repo.dir, 'none') : outside;
      const put = async () => {
        await rm(join(path, 'lib'), { recursive: true, force: true });
        await symlink(target, join(path, 'lib'));
      };
      await put();
      const saved = await save();
      requireWhole(saved, path);
      expect(await repo.run(['ls-tree', '-r', '--name-only', `${saved?.sha}`], root)).toBe('.gitmodules\nREADME.md\nlib');
      expect(await repo.run(['show', `${saved?.sha}:lib`], root)).toBe(target);
      await reset();
      await untouched();
      expect(await readStatus(repo.git, path)).toMatchObject({ changes: [] });
      await put();
      await removeWorktree(repo.git, root, 'adam', path);
      await untouched();
      expect(await repo.git.files.exists(path)).toBe(false);
    },
  );

  test('as a parent of a submodule leads neither a rescue nor a reset outside', async () => {
    await using repo = await scratchRepo();
    const { root, path, save, reset, outside, untouched } = await linked(repo, 'deep/lib');
    await rm(join(path, 'deep'), { recursive: true });
    await symlink(outside, join(path, 'deep'));
    const saved = await save();
    requireWhole(saved, path);
    expect(await repo.run(['ls-tree', '-r', '--name-only', `${saved?.sha}`], root)).toBe('.gitmodules\nREADME.md\ndeep');
    expect(await repo.run(['rev-list', '--count', `${saved?.sha}^@`, '--not', 'origin/main'], root)).toBe('0');
    await reset();
    await untouched();
    expect(await readStatus(repo.git, path)).toMatchObject({ changes: [] });
  });

  test('in place of the worktree itself is refused: nothing is deleted behind it', async () => {
    await using repo = await scratchRepo();
    const { root, path, save, outside, untouched } = await linked(repo, 'lib');
    await repo.git.processes.run({ file: 'mv', args: [path, join(repo.dir, 'aside')], cwd: '/' });
    // With its `.git` file, the folder behind the link looks like the worktree to git.
    await repo.write('.git', await repo.read('.git', join(repo.dir, 'aside')), outside);
    await symlink(outside, path);
    const refused = { code: 'GIT_WORKTREE_FAILED', hint: expect.stringContaining('rm -- ') };
    await expect(save()).rejects.toMatchObject(refused);
    await expect(removeWorktree(repo.git, root, 'adam', path)).rejects.toMatchObject(refused);
    await untouched();
    await rm(path);
    await removeWorktree(repo.git, root, 'adam', path);
    await untouched();
  });
});

test('a folder of worktrees that the user put elsewhere, behind a link, is not an attack', async () => {
  await using repo = await scratchRepo();
  const { root, worktree } = await scratchRoot(repo);
  await mkdir(join(repo.dir, 'large disk'));
  await symlink(join(repo.dir, 'large disk'), join(root, '.worktrees'));
  const path = await worktree('adam');
  await removeWorktree(repo.git, root, 'adam', path);
  expect(await repo.git.files.exists(path)).toBe(false);
});
