import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addSubmodule,
  checkOutSubmodule,
  initInside,
  LOCAL_SUBMODULES,
  type ScratchRepo,
  scratchRepo,
  scratchRoot,
} from '../../../test/support/scratch-repo.ts';
import { readStatus } from '../inspect.ts';
import { unfinishedOperation } from '../rebase/operation.ts';
import { write } from '../run.ts';
import { resetInPlace, takeBranchCall } from './reset.ts';
import { cleanCall } from './submodules.ts';

test('the calls force the branch and spare ignored files', () => {
  expect(takeBranchCall('/w', 'llmc/a', 'abc').args).toEqual([
    'checkout',
    '--quiet',
    '--no-recurse-submodules',
    '--force',
    '--ignore-other-worktrees',
    '--no-track',
    '-B',
    'llmc/a',
    'abc',
    '--',
  ]);
  expect(cleanCall('/w').args).toEqual(['clean', '--quiet', '--force', '--force', '-d']);
});

async function begun(repo: ScratchRepo) {
  const { base, worktree } = await scratchRoot(repo);
  return { base, path: await worktree('adam') };
}

const fresh = (base: string) => ({ head: base, branch: 'llmc/adam', changes: [] });

describe('a reset in place', () => {
  test('drops commits, edits, staged and untracked files, and keeps ignored ones', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n', '.gitignore': 'node_modules\n' } });
    const { base, path } = await begun(repo);
    await repo.commit('Work', { b: '1\n' }, path);
    await repo.write('a', '2\n', path);
    await repo.write('staged', 's', path);
    await repo.run(['add', 'staged'], path);
    await repo.write('deep/er/untracked ü', 'u', path);
    await repo.write('node_modules/x', 'x', path);
    await resetInPlace(repo.git, path, base, 'llmc/adam');
    await resetInPlace(repo.git, path, base, 'llmc/adam');
    expect(await readStatus(repo.git, path)).toEqual(fresh(base));
    expect(await repo.read('node_modules/x', path)).toBe('x');
    expect(await repo.read('a', path)).toBe('1\n');
  });

  test.each(['detached', 'other'])('attaches the branch again when HEAD is %s', async (state) => {
    await using repo = await scratchRepo();
    const { base, path } = await begun(repo);
    await repo.run(state === 'detached' ? ['checkout', '--quiet', '--detach'] : ['checkout', '--quiet', '-b', 'mine'], path);
    await repo.commit('Astray', { b: '1\n' }, path);
    await resetInPlace(repo.git, path, base, 'llmc/adam');
    expect(await readStatus(repo.git, path)).toEqual(fresh(base));
  });

  test.each(['rebase', 'merge', 'cherry-pick', 'revert'])('ends a %s', async (operation) => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const { base, path } = await begun(repo);
    const first = await repo.commit('One', { a: 'one\n' }, path);
    await repo.commit('Two', { a: 'two\n' }, path);
    await repo.run(['branch', 'theirs', base], path);
    await repo.run(['checkout', '--quiet', 'theirs'], path);
    await repo.commit('Theirs', { a: 'theirs\n' }, path);
    await repo.run(['checkout', '--quiet', 'llmc/adam'], path);
    await repo.git.run(write(path, operation, operation === 'revert' ? first : 'theirs'));
    expect((await unfinishedOperation(repo.git, path))?.operation).toBe(operation);
    await resetInPlace(repo.git, path, base, 'llmc/adam');
    expect(await unfinishedOperation(repo.git, path)).toBeUndefined();
    expect(await readStatus(repo.git, path)).toEqual(fresh(base));
  });

  test('ends a bisect', async () => {
    await using repo = await scratchRepo();
    const { base, path } = await begun(repo);
    for (const n of [1, 2, 3, 4]) await repo.commit(`C${n}`, { n: `${n}\n` }, path);
    await repo.run(['bisect', 'start', 'HEAD', base], path);
    await resetInPlace(repo.git, path, base, 'llmc/adam');
    expect(await unfinishedOperation(repo.git, path)).toBeUndefined();
    expect(await readStatus(repo.git, path)).toEqual(fresh(base));
  });

  test('deletes a repository inside the worktree', async () => {
    await using repo = await scratchRepo();
    const { base, path } = await begun(repo);
    await initInside(repo, path, 'nested ü');
    await repo.write('nested ü/inner', 'x', path);
    await resetInPlace(repo.git, path, base, 'llmc/adam');
    expect(await readStatus(repo.git, path)).toEqual(fresh(base));
  });
});

describe('a submodule, after a reset in place', () => {
  test('stands on the commit that is recorded for it, without changes, files or a rebase in progress', async () => {
    await using repo = await scratchRepo();
    await addSubmodule(repo);
    const { base, path } = await begun(repo);
    const lib = await checkOutSubmodule(repo, path);
    const recorded = await repo.run(['rev-parse', 'HEAD'], lib);
    await repo.run(['checkout', '--quiet', '-b', 'mine'], lib);
    await repo.commit('Mine', { 'lib.txt': 'mine\n' }, lib);
    await repo.run(['checkout', '--quiet', '-b', 'theirs', recorded], lib);
    await repo.commit('Theirs', { 'lib.txt': 'theirs\n' }, lib);
    await repo.run(['add', 'lib'], path);
    await repo.run(['commit', '--quiet', '-m', 'Take it'], path);
    await repo.git.run(write(lib, 'rebase', 'mine'));
    await repo.write('loose.txt', 'l', lib);
    await resetInPlace(repo.git, path, base, 'llmc/adam');
    expect(await readStatus(repo.git, path)).toEqual(fresh(base));
    expect(await readStatus(repo.git, lib)).toEqual({ head: recorded, branch: undefined, changes: [] });
    expect(await unfinishedOperation(repo.git, lib)).toBeUndefined();
  });

  test('is empty again where nothing was checked out, and gone where main has none', async () => {
    await using repo = await scratchRepo();
    const remote = await addSubmodule(repo);
    const { base, path } = await begun(repo);
    await repo.write('lib/by hand', 'x', path);
    await repo.run([...LOCAL_SUBMODULES, 'submodule', '--quiet', 'add', '--', remote, 'more'], path);
    await repo.run(['commit', '--quiet', '-m', 'Add more'], path);
    await resetInPlace(repo.git, path, base, 'llmc/adam');
    expect(await readStatus(repo.git, path)).toEqual(fresh(base));
    expect((await readdir(path)).toSorted()).toEqual(['.git', '.gitmodules', 'README.md', 'lib']);
    expect(await readdir(join(path, 'lib'))).toEqual([]);
  });

  test('whose recorded commit nobody has is told with what to type', async () => {
    await using repo = await scratchRepo();
    await addSubmodule(repo);
    const { path } = await begun(repo);
    await checkOutSubmodule(repo, path);
    await repo.run(['update-index', '--cacheinfo', `160000,${'1'.repeat(40)},lib`]);
    await repo.run(['commit', '--quiet', '-m', 'Unknown']);
    await repo.run(['fetch', '--quiet', '--no-recurse-submodules', 'origin'], path);
    const main = await repo.run(['rev-parse', 'origin/main'], path);
    await expect(resetInPlace(repo.git, path, main, 'llmc/adam')).rejects.toMatchObject({
      code: 'GIT_FAILED',
      hint: expect.stringContaining('submodule update --init --force --recursive'),
    });
  });
});
