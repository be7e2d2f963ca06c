import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryAround } from './repository-around.ts';

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'llmc-around-')));
const env = { PATH: process.env.PATH ?? '', HOME: dir, GIT_CONFIG_NOSYSTEM: '1' };
const git = (at: string, ...args: string[]) =>
  execFileSync('git', ['-C', at, '-c', 'protocol.file.allow=always', '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    env,
    stdio: 'pipe',
  });
const shop = join(dir, 'shop');

beforeAll(() => {
  mkdirSync(join(shop, 'src', 'deep'), { recursive: true });
  git(dir, 'init', '--quiet', '--initial-branch=main', 'shop');
  git(shop, 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
  git(shop, 'worktree', 'add', '--quiet', '--detach', join(dir, 'elsewhere'));
  git(dir, 'clone', '--quiet', '--bare', shop, join(dir, 'mirror.git'));
  git(shop, 'submodule', '--quiet', 'add', join(dir, 'mirror.git'), 'lib');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.each([
  ['its main folder', 'shop', 'shop', 'shop/.git'],
  ['a subfolder', 'shop/src/deep', 'shop', 'shop/.git'],
  ['the folder of git itself', 'shop/.git', 'shop', 'shop/.git'],
  ['a linked worktree', 'elsewhere', 'shop', 'shop/.git'],
  ['a bare repository', 'mirror.git', 'mirror', 'mirror.git'],
  ['a submodule, which is a repository of its own', 'shop/lib', 'lib', 'shop/.git/modules/lib'],
])('a repository is found from %s', (_, at, name, gitDir) => {
  expect(repositoryAround(join(dir, at))).toEqual({ name, gitDir: join(dir, gitDir) });
});

test('no repository is found outside of any, at a path that is not there, and by a .git that leads nowhere', () => {
  const broken = join(dir, 'broken');
  mkdirSync(broken);
  writeFileSync(join(broken, '.git'), 'gitdir: /nowhere\n');
  expect([dir, join(dir, 'missing'), broken].map(repositoryAround)).toEqual([undefined, undefined, undefined]);
});
