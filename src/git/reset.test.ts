import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../test/support/scratch-repo.ts';
import { readStatus } from './inspect.ts';
import { unfinishedOperation } from './operation.ts';
import { cleanCall, resetInPlace, takeBranchCall } from './reset.ts';
import { write } from './run.ts';

test('the calls force the branch and spare ignored files', () => {
  expect(takeBranchCall('/w', 'llmc/a', 'abc').args).toEqual(['checkout', '--quiet', '--force', '--no-track', '-B', 'llmc/a', 'abc', '--']);
  expect(cleanCall('/w').args).toEqual(['clean', '--quiet', '--force', '-d']);
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
    expect(await resetInPlace(repo.git, path, base, 'llmc/adam')).toEqual({ left: [] });
    expect(await resetInPlace(repo.git, path, base, 'llmc/adam')).toEqual({ left: [] });
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

  test('spares a repository inside the worktree and says so', async () => {
    await using repo = await scratchRepo();
    const { base, path } = await begun(repo);
    await mkdir(join(path, 'nested ü'));
    await repo.run(['init', '--quiet'], join(path, 'nested ü'));
    await repo.write('nested ü/inner', 'x', path);
    expect(await resetInPlace(repo.git, path, base, 'llmc/adam')).toEqual({ left: ['nested ü/'] });
    expect(await repo.read('nested ü/inner', path)).toBe('x');
  });
});
