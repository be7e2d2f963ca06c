import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { ownRepository } from '../private/place.ts';
import { fencePushes, PRE_PUSH } from './push-fence.ts';

/** The agent's own git, not llmc's. */
function asAgent(repo: ScratchRepo, at: string, ...args: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME: repo.home, GIT_CONFIG_NOSYSTEM: '1' };
  return spawnSync('git', args, { cwd: at, env, encoding: 'utf8' });
}

const TO = { path: (repo: ScratchRepo) => repo.path, url: (repo: ScratchRepo) => `file://${repo.path}`, origin: () => 'origin' };
const PUSHES = [
  { how: 'git push', args: () => ['push'] },
  { how: 'git push origin HEAD:main', args: () => ['push', 'origin', 'HEAD:main'] },
  ...(['path', 'url', 'origin'] as const).flatMap((to) =>
    [[], ['--no-verify']].map((options) => ({
      how: `git push ${[...options, to].join(' ')}`,
      args: (repo: ScratchRepo) => ['push', ...options, TO[to](repo), 'HEAD:refs/heads/sneaky'],
    })),
  ),
];

describe.each(['the hooks of llmc', 'hooks of the repository (husky)'])('from a worktree with %s', (hooks) => {
  test('every push is refused with a word that says why, and the source stays as it is', async () => {
    await using repo = await scratchRepo();
    const { worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await repo.commit('Work', { mine: 'm\n' }, path);
    if (hooks !== 'the hooks of llmc') await repo.run(['config', 'core.hooksPath', '.husky'], path);
    const before = await repo.run(['for-each-ref']);
    for (const { how, args } of PUSHES) {
      const pushed = asAgent(repo, path, ...args(repo));
      expect(pushed.status, how).not.toBe(0);
      if (how !== 'git push') expect(pushed.stderr, how).toContain('workers-do-not-push');
    }
    expect(await repo.run(['for-each-ref'])).toBe(before);
    expect(asAgent(repo, path, 'fetch', '--quiet', 'origin')).toMatchObject({ status: 0 });
  });
});

test('where settings of the user send a push elsewhere, the hook refuses it and says what to do', async () => {
  await using repo = await scratchRepo();
  const { worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  await writeFile(join(repo.home, '.gitconfig'), `[url "${repo.path}"]\n\tpushInsteadOf = alias:\n`);
  expect(asAgent(repo, path, 'push', 'alias:', 'HEAD:refs/heads/sneaky')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('llmc lands work'),
  });
  expect(await repo.run(['branch', '--list', 'sneaky'])).toBe('');
});

test('the hook comes back, also in place of a link, whose target stays', async () => {
  await using repo = await scratchRepo();
  const { root, worktree } = await scratchRoot(repo);
  await worktree('adam');
  const own = ownRepository(root, 'adam');
  const [hook, precious] = [join(own, 'hooks', 'pre-push'), join(repo.dir, 'precious')];
  await writeFile(precious, 'mine');
  await rm(hook);
  await symlink(precious, hook);
  await fencePushes(repo.git, own);
  expect(await readFile(hook, 'utf8')).toBe(PRE_PUSH);
  expect(await readFile(precious, 'utf8')).toBe('mine');
});

test('nothing is written through a link in place of the folder', async () => {
  await using repo = await scratchRepo();
  const { root, worktree } = await scratchRoot(repo);
  await worktree('adam');
  const own = ownRepository(root, 'adam');
  const [hooks, elsewhere] = [join(own, 'hooks'), join(repo.dir, 'elsewhere')];
  await mkdir(elsewhere);
  await rm(hooks, { recursive: true });
  await symlink(elsewhere, hooks);
  await fencePushes(repo.git, own);
  expect(await readdir(elsewhere)).toEqual([]);
});
