import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { fencePushes, PRE_PUSH } from './push-fence.ts';

test('a push from a worktree to the source’s path is refused, and says what to do instead', async () => {
  await using repo = await scratchRepo();
  const { worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  // The agent's own git, not llmc's.
  const env = { PATH: process.env.PATH, HOME: join(repo.dir, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
  const pushed = spawnSync('git', ['push', repo.path, 'HEAD:refs/heads/sneaky'], { cwd: path, env, encoding: 'utf8' });
  expect(pushed).toMatchObject({ status: 1, stderr: expect.stringContaining('llmc lands work') });
  expect(await repo.run(['branch', '--list', 'sneaky'])).toBe('');
});

test('the hook comes back, also in place of a link, whose target stays', async () => {
  await using repo = await scratchRepo();
  const { root } = await scratchRoot(repo);
  const [hook, precious] = [join(root, '.git', 'hooks', 'pre-push'), join(repo.dir, 'precious')];
  await writeFile(precious, 'mine');
  await rm(hook);
  await symlink(precious, hook);
  await fencePushes(repo.git, root);
  expect(await readFile(hook, 'utf8')).toBe(PRE_PUSH);
  expect(await readFile(precious, 'utf8')).toBe('mine');
});

test('nothing is written through a link in place of the folder', async () => {
  await using repo = await scratchRepo();
  const { root } = await scratchRoot(repo);
  const [hooks, elsewhere] = [join(root, '.git', 'hooks'), join(repo.dir, 'elsewhere')];
  await mkdir(elsewhere);
  await rm(hooks, { recursive: true });
  await symlink(elsewhere, hooks);
  await fencePushes(repo.git, root);
  expect(await readdir(elsewhere)).toEqual([]);
});
