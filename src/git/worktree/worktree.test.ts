import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { addWorktree, createBranchCall, isWorktreePresent, removeWorktree } from './worktree.ts';
import { parseWorktrees } from './worktree-list.ts';

const LIST = ['worktree', 'list', '--porcelain', '-z'];

test('the branch of a new worktree must not exist', () => {
  expect(createBranchCall('/root', 'llmc/a', 'abc').args).toEqual([
    'update-ref',
    '-m',
    'llmc: new worktree',
    'refs/heads/llmc/a',
    'abc',
    '',
  ]);
});

test('the listing is read with line feeds in paths, locks, lost directories and bare entries', () => {
  const text = [
    'worktree /bare\0bare\0\0',
    'worktree /a\nb\0HEAD 11\0branch refs/heads/x/y\0\0',
    'worktree /c\0HEAD 22\0detached\0locked why not\0prunable gone\0\0',
  ].join('');
  expect(parseWorktrees(text)).toEqual([
    { path: '/bare', head: undefined, branch: undefined, bare: true, locked: false, prunable: undefined },
    { path: '/a\nb', head: '11', branch: 'x/y', bare: false, locked: false, prunable: undefined },
    { path: '/c', head: '22', branch: undefined, bare: false, locked: true, prunable: 'gone' },
  ]);
});

describe('a worktree', () => {
  test('stands on its own branch at the base, with files, and adding it again keeps it', async () => {
    await using repo = await scratchRepo({ name: 'quelle mit ä' });
    const { root, base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    expect(await repo.read('README.md', path)).toBe('hello\n');
    expect(parseWorktrees(await repo.run(LIST, root)).at(-1)).toMatchObject({ path, branch: 'llmc/adam', head: base });
    expect(await repo.git.run({ at: path, access: 'read', args: ['rev-parse', '@{upstream}'] })).toMatchObject({ status: 128 });
    await repo.write('draft', 'x', path);
    expect(await addWorktree(repo.git, root, 'adam', path, base)).toEqual({ kind: 'kept', branch: 'llmc/adam' });
    expect(await repo.read('draft', path)).toBe('x');
  });

  test('deleted by hand comes back with the commits of its branch', async () => {
    await using repo = await scratchRepo();
    const { root, base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    const made = await repo.commit('Work', { 'a.txt': 'a\n' }, path);
    await rm(path, { recursive: true });
    expect(await isWorktreePresent(root, path)).toBe(false);
    expect(await addWorktree(repo.git, root, 'adam', path, base)).toEqual({ kind: 'repaired', branch: 'llmc/adam' });
    expect(await repo.run(['rev-parse', 'HEAD'], path)).toBe(made);
  });

  test('without its .git file counts as missing, until it is added again or removed', async () => {
    await using repo = await scratchRepo();
    const { root, base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    expect(await isWorktreePresent(root, path)).toBe(true);
    await repo.write('draft', 'x', path);
    await rm(join(path, '.git'));
    expect(await isWorktreePresent(root, path)).toBe(false);
    expect(await addWorktree(repo.git, root, 'adam', path, base)).toEqual({ kind: 'kept', branch: 'llmc/adam' });
    expect(await repo.run(['status', '--porcelain'], path)).toBe('?? draft');
    await rm(join(path, '.git'));
    await removeWorktree(repo.git, root, 'adam', path);
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('that was never one is not removed', async () => {
    await using repo = await scratchRepo();
    const { root } = await scratchRoot(repo);
    const path = join(root, '.worktrees', 'adam');
    await repo.write('mine.txt', 'x', path);
    await expect(removeWorktree(repo.git, root, 'adam', path)).rejects.toMatchObject({ code: 'GIT_WORKTREE_FAILED' });
    expect(await repo.read('mine.txt', path)).toBe('x');
  });

  test('is not made over a directory that holds something else', async () => {
    await using repo = await scratchRepo();
    const { root, base } = await scratchRoot(repo);
    const path = join(root, '.worktrees', 'adam');
    await repo.write('mine.txt', 'x', path);
    await expect(addWorktree(repo.git, root, 'adam', path, base)).rejects.toMatchObject({ code: 'GIT_WORKTREE_FAILED' });
    expect(await repo.read('mine.txt', path)).toBe('x');
    expect(await repo.run(['branch', '--list', 'llmc/adam'], root)).toBe('');
  });

  test('is not taken over from another repository', async () => {
    await using repo = await scratchRepo();
    const { root, base } = await scratchRoot(repo);
    await expect(addWorktree(repo.git, root, 'adam', repo.path, base)).rejects.toMatchObject({ code: 'GIT_WORKTREE_FAILED' });
  });

  test('is removed with its branch and everything in it, also when locked, also twice', async () => {
    await using repo = await scratchRepo();
    const { root, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await repo.write('untracked', 'x', path);
    await repo.run(['worktree', 'lock', path], root);
    await removeWorktree(repo.git, root, 'adam', path);
    await removeWorktree(repo.git, root, 'adam', path);
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(parseWorktrees(await repo.run(LIST, root))).toHaveLength(1);
    expect(await repo.run(['branch', '--list', 'llmc/*'], root)).toBe('');
  });

  test('is removed when its directory is gone already', async () => {
    await using repo = await scratchRepo();
    const { root, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await rm(path, { recursive: true });
    await removeWorktree(repo.git, root, 'adam', path);
    expect(await repo.run(['branch', '--list', 'llmc/*'], root)).toBe('');
  });
});
