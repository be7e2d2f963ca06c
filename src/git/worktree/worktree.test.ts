import { access, cp, lstat, mkdir, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { exchange } from '../exchange/exchange.ts';
import { readStatus } from '../inspect.ts';
import { ownRepository } from '../private/place.ts';
import { rebaseOnto } from '../rebase/rebase.ts';
import { type Git, read } from '../run.ts';
import { fetchMain } from '../source/fetch.ts';
import { resetInPlace } from './reset.ts';
import { addWorktree, createBranchCall, isWorktreePresent, reconnect, removeWorktree } from './worktree.ts';
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
    expect(parseWorktrees(await repo.run(LIST, path)).at(-1)).toMatchObject({ path, branch: 'llmc/adam', head: base });
    expect(await repo.run(['rev-parse', 'llmc/adam'], root)).toBe(base);
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

  test('that does not fit on the disk is refused in words of llmc, and nothing of it stays', async () => {
    await using repo = await scratchRepo();
    const { root, base } = await scratchRoot(repo);
    const full = { status: 128, stdout: '', stderr: 'error: unable to write file README.md\nfatal: No space left on device\n' };
    const git: Git = {
      ...repo.git,
      run: (call, options) => (call.args[0] === 'reset' ? Promise.resolve(full) : repo.git.run(call, options)),
    };
    const path = join(root, '.worktrees', 'eve');
    await expect(addWorktree(git, root, 'eve', path, base)).rejects.toMatchObject({
      code: 'GIT_WORKTREE_FAILED',
      message: `git reset failed in ${path}: the disk is full`,
      hint: `Free some space: df -h '${join(root, '.worktrees')}'`,
      details: full.stderr.trim(),
    });
    await expect(access(path)).rejects.toThrow('ENOENT');
    expect((await repo.git.run(read(root, 'rev-parse', '--verify', 'llmc/eve'))).status).not.toBe(0);
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
    await repo.run(['worktree', 'lock', path], path);
    await removeWorktree(repo.git, root, 'adam', path);
    await removeWorktree(repo.git, root, 'adam', path);
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(access(ownRepository(root, 'adam'))).rejects.toMatchObject({ code: 'ENOENT' });
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

test('a file in the place of a worktree is kept, and the worktree is made again', async () => {
  await using repo = await scratchRepo();
  const { root, base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const made = await repo.commit('Work', { 'a.txt': 'a\n' }, path);
  await rm(path, { recursive: true });
  await writeFile(path, 'mine\n');
  expect(await addWorktree(repo.git, root, 'adam', path, base)).toMatchObject({ kind: 'repaired' });
  expect(await repo.run(['rev-parse', 'HEAD'], path)).toBe(made);
  const kept = await readdir(join(root, '.git/set-aside'), { recursive: true });
  expect(kept.filter((each) => each.endsWith('/adam'))).toHaveLength(1);
});

test('git does not work behind a link in the place of a worktree', async () => {
  await using repo = await scratchRepo();
  const { root, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  await repo.commit('Work', { 'a.txt': 'a\n' }, path);
  const main = await repo.commit('Main', { 'b.txt': 'b\n' });
  await fetchMain(repo.git, root, 'main', repo.path);
  const elsewhere = join(repo.dir, 'elsewhere');
  await rename(path, elsewhere);
  await symlink(elsewhere, path);
  const refused = { code: 'GIT_WORKTREE_FAILED', hint: expect.stringContaining('rm -- ') };
  await expect(rebaseOnto(repo.git, path, main)).rejects.toMatchObject(refused);
  await expect(readStatus(repo.git, path)).rejects.toMatchObject(refused);
  expect(await readdir(elsewhere)).not.toContain('b.txt');
});

test('a link in the place of a repository is removed, and the repository is made again', async () => {
  await using repo = await scratchRepo();
  const { root, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const made = await repo.commit('Work', { 'a.txt': 'a\n' }, path);
  const [own, elsewhere] = [ownRepository(root, 'adam'), join(repo.dir, 'elsewhere')];
  await rename(own, elsewhere);
  await symlink(elsewhere, own);
  expect(isWorktreePresent(root, path)).toBe(false);
  expect(await reconnect(repo.git, root, path)).toBe(true);
  expect((await lstat(own)).isDirectory()).toBe(true);
  expect(await repo.run(['rev-parse', 'HEAD'], path)).toBe(made);
  expect(await repo.run(['status', '--porcelain'], path)).toBe('');
});

describe('a link that an agent put on the way to a repository', () => {
  test.each(['sandbox', 'sandbox/adam'])('at %s: llmc neither writes nor deletes behind it, and says how to remove it', async (place) => {
    await using repo = await scratchRepo();
    const { root, base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    const home = join(repo.dir, 'precious');
    await repo.write(place === 'sandbox' ? 'adam/git/mine' : 'git/mine', 'x', home);
    await rename(join(root, place), join(repo.dir, 'moved'));
    await symlink(home, join(root, place));
    const before = await readdir(home, { recursive: true });
    const refused = { code: 'GIT_WORKTREE_FAILED', hint: expect.stringContaining(`rm -- `) };
    await expect(readStatus(repo.git, path)).rejects.toMatchObject(refused);
    await expect(exchange(repo.git, root, path)).rejects.toMatchObject(refused);
    await expect(addWorktree(repo.git, root, 'adam', path, base)).rejects.toMatchObject(refused);
    await expect(removeWorktree(repo.git, root, 'adam', path)).rejects.toMatchObject(refused);
    await repo.git.guard?.check();
    await expect(repo.git.guard?.configure('adam')).rejects.toMatchObject(refused);
    expect(await readdir(home, { recursive: true })).toEqual(before);
  });

  test('before the worker is added, nothing behind it is deleted', async () => {
    await using repo = await scratchRepo();
    const { root, base } = await scratchRoot(repo);
    await repo.write('git/project/code', 'x', join(repo.dir, 'home of mine'));
    await mkdir(join(root, 'sandbox'));
    await symlink(join(repo.dir, 'home of mine'), join(root, 'sandbox/dora'));
    await expect(addWorktree(repo.git, root, 'dora', join(root, '.worktrees/dora'), base)).rejects.toMatchObject({
      code: 'GIT_WORKTREE_FAILED',
    });
    expect(await repo.read('git/project/code', join(repo.dir, 'home of mine'))).toBe('x');
  });

  test.each(['objects', 'objects/info'])('in the place of %s: nothing is written behind it', async (name) => {
    await using repo = await scratchRepo();
    const { root, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    const elsewhere = join(repo.dir, 'elsewhere');
    await mkdir(elsewhere);
    await rm(join(ownRepository(root, 'adam'), name), { recursive: true });
    await symlink(elsewhere, join(ownRepository(root, 'adam'), name));
    await expect(readStatus(repo.git, path)).rejects.toMatchObject({ code: 'GIT_FAILED', hint: expect.stringContaining('rm -rf -- ') });
    expect(await readdir(elsewhere)).toEqual([]);
  });

  test('in the place of the repository: the settings behind it stay', async () => {
    await using repo = await scratchRepo();
    const { root, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    const config = await repo.read('.git/config');
    await rm(ownRepository(root, 'adam'), { recursive: true });
    await symlink(join(repo.path, '.git'), ownRepository(root, 'adam'));
    await readStatus(repo.git, path).catch(() => undefined);
    await repo.git.guard?.check();
    expect(await repo.read('.git/config')).toBe(config);
    await expect(access(join(repo.path, '.git/objects/info/alternates'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

test('a repository that another agent prepared for a worker is not taken over', async () => {
  await using repo = await scratchRepo();
  const { root, base, worktree } = await scratchRoot(repo);
  await worktree('adam');
  await cp(ownRepository(root, 'adam'), ownRepository(root, 'carl'), { recursive: true });
  await repo.write('hooks/post-checkout', '#!/bin/sh\n', ownRepository(root, 'carl'));
  const path = await worktree('carl');
  expect(await repo.run(['rev-parse', 'HEAD'], path)).toBe(base);
  expect(await readdir(join(ownRepository(root, 'carl'), 'hooks'))).toEqual(['pre-push']);
});

test('a branch below the name of the worker’s branch gets another name at a reset', async () => {
  await using repo = await scratchRepo();
  const { base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const made = await repo.commit('Work', { 'a.txt': 'a\n' }, path);
  await repo.run(['checkout', '--quiet', '--detach'], path);
  await repo.run(['branch', '-m', 'llmc/adam', 'llmc/adam/sub'], path);
  await resetInPlace(repo.git, path, base, 'llmc/adam');
  expect(await repo.run(['rev-parse', 'llmc/adam', 'kept/llmc/adam/sub'], path)).toBe(`${base}\n${made}`);
});

test('main comes back in a worker where a ref is in its way', async () => {
  await using repo = await scratchRepo();
  const { base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  await repo.run(['update-ref', '-d', 'refs/remotes/origin/main'], path);
  await repo.run(['update-ref', 'refs/remotes/origin/main/x', 'HEAD'], path);
  await repo.commit('Work', { 'a.txt': 'a\n' }, path);
  expect(await repo.run(['rev-parse', 'origin/main'], path)).toBe(base);
});

test('a clean-up of the store by a person keeps what a worker has borrowed', async () => {
  await using repo = await scratchRepo();
  const { root, base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const made = await repo.commit('Work', { 'a.txt': 'a\n' }, path);
  await repo.run(['branch', 'feature'], path);
  await repo.run(['reset', '--quiet', '--hard', base], path);
  // Its own copies go, because the store has the same objects.
  await repo.run(['gc', '--quiet'], path);
  const old = new Date(Date.now() - 90 * 86_400_000);
  for (const { parentPath, name } of await readdir(join(root, '.git/objects'), { recursive: true, withFileTypes: true }))
    await utimes(join(parentPath, name), old, old);
  await repo.run(['gc', '--quiet'], root);
  expect(await repo.run(['rev-parse', '--verify', 'feature^{tree}'], path)).not.toBe('');
  expect(await repo.run(['rev-parse', 'feature'], path)).toBe(made);
});
