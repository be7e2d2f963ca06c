import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { copyIgnored, expandBraces, untrackedCall } from './copy-files.ts';

test('the globs are anchored at the top of the repository', () => {
  expect(untrackedCall('/src', ['.env', '**/x']).args).toEqual(['ls-files', '-z', '--others', '--', ':(top,glob).env', ':(top,glob)**/x']);
});

test('braces are spelled out', () => {
  expect(expandBraces('a.{x,y{1,2}}/{b,}')).toEqual(['a.x/b', 'a.x/', 'a.y1/b', 'a.y1/', 'a.y2/b', 'a.y2/']);
  expect(expandBraces('plain{}')).toEqual(['plain{}']);
});

async function begun(repo: ScratchRepo) {
  const { source, worktree } = await scratchRoot(repo);
  return { source, path: await worktree('adam') };
}

const files = { '.gitignore': '.env*\nlocal/\n', tracked: 't\n' };

describe('copying', () => {
  test('brings ignored and untracked files with their mode, and a second time changes nothing', async () => {
    await using repo = await scratchRepo({ files, name: 'quelle ü mit platz' });
    const { source, path } = await begun(repo);
    await repo.write('.env', 'A=1\n');
    await repo.write('local/deep/ü run.sh', '#!/bin/sh\n');
    await chmod(join(repo.path, 'local/deep/ü run.sh'), 0o750);
    await repo.write('new.json', '{}\n');
    const globs = ['.env', 'local/**', '*.{json,txt}', 'tracked'];
    expect(await copyIgnored(repo.git, source.checkout, path, globs)).toEqual({
      copied: ['.env', 'local/deep/ü run.sh', 'new.json'],
      unchanged: [],
      skipped: [],
    });
    const before = await stat(join(path, '.env'), { bigint: true });
    expect((await stat(join(path, 'local/deep/ü run.sh'))).mode & 0o777).toBe(0o750);
    expect(await copyIgnored(repo.git, source.checkout, path, globs)).toMatchObject({ copied: [], unchanged: { length: 3 } });
    expect(await stat(join(path, '.env'), { bigint: true })).toMatchObject({ ino: before.ino, mtimeNs: before.mtimeNs });
    await repo.write('.env', 'A=2\n');
    expect(await copyIgnored(repo.git, source.checkout, path, globs)).toMatchObject({ copied: ['.env'] });
    expect(await repo.read('.env', path)).toBe('A=2\n');
  });

  test('takes a glob without a slash at the top only', async () => {
    await using repo = await scratchRepo({ files });
    const { source, path } = await begun(repo);
    await repo.write('.env', 'top');
    await repo.write('sub/.env', 'sub');
    expect((await copyIgnored(repo.git, source.checkout, path, ['.env'])).copied).toEqual(['.env']);
    expect((await copyIgnored(repo.git, source.checkout, path, ['**/.env'])).copied).toEqual(['sub/.env']);
  });

  test('never overwrites what the worktree tracks', async () => {
    await using repo = await scratchRepo({ files });
    const { source, path } = await begun(repo);
    await repo.commit('Track it', { 'settings.json': 'tracked\n' }, path);
    await repo.write('settings.json', 'mine\n');
    expect(await copyIgnored(repo.git, source.checkout, path, ['settings.json'])).toMatchObject({
      copied: [],
      skipped: [{ path: 'settings.json' }],
    });
    expect(await repo.read('settings.json', path)).toBe('tracked\n');
  });

  test.each(['../x', '/etc/passwd', 'a/../../x', ''])('refuses the glob %j', async (glob) => {
    await using repo = await scratchRepo({ files });
    const { source, path } = await begun(repo);
    await expect(copyIgnored(repo.git, source.checkout, path, [glob])).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  test('neither follows a link in the source nor one in the worktree', async () => {
    await using repo = await scratchRepo({ files });
    const { source, path } = await begun(repo);
    await repo.write('secret', 's', repo.home);
    await symlink(join(repo.home, 'secret'), join(repo.path, '.env.link'));
    await repo.write('local/out', 'o');
    await mkdir(join(repo.dir, 'outside'));
    await symlink(join(repo.dir, 'outside'), join(path, 'local'));
    await repo.write('.env.mine', 'm');
    await symlink(join(repo.home, 'secret'), join(path, '.env.mine'));
    const result = await copyIgnored(repo.git, source.checkout, path, ['.env*', 'local/**']);
    expect(result.copied).toEqual([]);
    expect(result.skipped.map((each) => each.path)).toEqual(['.env.link', '.env.mine', 'local/out']);
    await expect(repo.read('out', join(repo.dir, 'outside'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await repo.read('secret', repo.home)).toBe('s');
  });

  test('from a bare source copies nothing and says so', async () => {
    await using repo = await scratchRepo({ files, bare: true });
    const { source, path } = await begun(repo);
    expect(await copyIgnored(repo.git, source.checkout, path, ['.env'])).toMatchObject({
      copied: [],
      note: expect.stringContaining('bare'),
    });
  });
});
