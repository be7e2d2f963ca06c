import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchRepo } from '../../../test/support/scratch-repo.ts';
import { chooseMainBranch, type MainBranchFacts } from './main-branch.ts';
import { inspectSource, parseBranches } from './source.ts';

describe('the main branch', () => {
  const facts: MainBranchFacts = {
    configured: undefined,
    branches: ['dev', 'main', 'master', 'release', 'trunk'],
    remoteDefault: undefined,
    initDefault: undefined,
    current: 'dev',
    bare: false,
  };

  test.each<[string, Partial<MainBranchFacts>, string | undefined]>([
    ['what is configured wins', { configured: 'release', remoteDefault: 'main' }, 'release'],
    ['what is configured and missing is not replaced', { configured: 'gone' }, undefined],
    ['then the default of the remote', { remoteDefault: 'trunk', initDefault: 'release' }, 'trunk'],
    ['a default of the remote that has no local branch is passed over', { remoteDefault: 'gone' }, 'main'],
    ['then init.defaultBranch', { initDefault: 'release' }, 'release'],
    ['then main', {}, 'main'],
    ['then master', { branches: ['dev', 'master'] }, 'master'],
    ['then where HEAD is', { branches: ['dev', 'x'] }, 'dev'],
    ['in a bare repository HEAD is the declared default', { bare: true, remoteDefault: 'main' }, 'dev'],
    ['nothing fits', { branches: ['x'], current: undefined }, undefined],
  ])('%s', (_, change, expected) => {
    expect(chooseMainBranch({ ...facts, ...change })).toBe(expected);
  });

  test('branches and the remote default are read from one listing', () => {
    const text = 'refs/heads/a/b\0\nrefs/heads/main\0\nrefs/remotes/origin/HEAD\0refs/remotes/origin/main\n';
    expect(parseBranches(text)).toEqual({ branches: ['a/b', 'main'], remoteDefault: 'main' });
  });
});

describe('a source', () => {
  test.each(['main', 'master', 'trunk'])('with only %s has that main branch', async (branch) => {
    await using repo = await scratchRepo({ branch });
    expect(await inspectSource(repo.git, repo.path)).toEqual({
      path: repo.path,
      gitDir: join(repo.path, '.git'),
      checkout: repo.path,
      bare: false,
      branch,
      branches: [branch],
    });
  });

  test('is found from a folder inside it, with spaces and other alphabets in the path', async () => {
    await using repo = await scratchRepo({ name: 'mein Projekt ü 日本' });
    await mkdir(join(repo.path, 'a b'));
    expect(await inspectSource(repo.git, join(repo.path, 'a b'))).toMatchObject({ path: repo.path, branch: 'main' });
  });

  test('is found from its .git folder and through a link', async () => {
    await using repo = await scratchRepo();
    expect(await inspectSource(repo.git, join(repo.path, '.git'))).toMatchObject({ path: repo.path, bare: false });
    await symlink(repo.path, join(repo.dir, 'link'));
    expect(await inspectSource(repo.git, join(repo.dir, 'link'))).toMatchObject({ path: await realpath(repo.path) });
  });

  test('may be bare', async () => {
    await using repo = await scratchRepo({ bare: true, branch: 'trunk' });
    expect(await inspectSource(repo.git, repo.path)).toMatchObject({ path: repo.path, bare: true, checkout: undefined, branch: 'trunk' });
  });

  test('may be a linked worktree, which stands for its repository', async () => {
    await using repo = await scratchRepo();
    const linked = join(repo.dir, 'linked');
    await repo.run(['worktree', 'add', '-q', '-b', 'side', linked]);
    expect(await inspectSource(repo.git, linked)).toMatchObject({ path: repo.path, checkout: linked, branch: 'main', bare: false });
  });

  test('may be a linked worktree of a bare repository', async () => {
    await using repo = await scratchRepo({ bare: true });
    const linked = join(repo.dir, 'linked');
    await repo.run(['worktree', 'add', '-q', linked, 'main']);
    expect(await inspectSource(repo.git, linked)).toMatchObject({ path: repo.path, checkout: linked, branch: 'main', bare: true });
  });

  test('that is not a repository is refused with a hint', async () => {
    await using repo = await scratchRepo();
    await expect(inspectSource(repo.git, repo.home)).rejects.toMatchObject({
      code: 'NOT_A_REPOSITORY',
      hint: expect.stringContaining('--source'),
    });
    await expect(inspectSource(repo.git, join(repo.dir, 'nowhere'))).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
  });

  test('without a commit is refused with the command that makes one', async () => {
    await using repo = await scratchRepo({ branch: null });
    await expect(inspectSource(repo.git, repo.path)).rejects.toMatchObject({
      code: 'BRANCH_NOT_FOUND',
      message: expect.stringContaining('no commit'),
      hint: expect.stringContaining('commit --allow-empty'),
    });
    await using bare = await scratchRepo({ branch: null, bare: true });
    await expect(inspectSource(bare.git, bare.path)).rejects.toMatchObject({ hint: expect.stringContaining(`git push ${bare.path}`) });
  });

  test('without the configured branch is refused with the branches it has', async () => {
    await using repo = await scratchRepo();
    await repo.run(['branch', 'other']);
    await expect(inspectSource(repo.git, repo.path, 'gone')).rejects.toMatchObject({
      code: 'BRANCH_NOT_FOUND',
      hint: expect.stringContaining('main, other'),
    });
  });
});
