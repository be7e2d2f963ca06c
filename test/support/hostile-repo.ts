import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Rescued, saveRescue } from '../../src/git/rescue/rescue.ts';
import { resetInPlace } from '../../src/git/worktree/reset.ts';
import { type ScratchRepo, scratchRoot } from './scratch-repo.ts';

export const NOW = Date.UTC(2026, 0, 31, 23, 59, 59);

/** A worker's worktree, with what llmc does to it. */
export async function begunWorktree(repo: ScratchRepo) {
  const { root, base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const request = { root, worktree: path, worker: 'adam', base: 'refs/remotes/origin/main', reason: 'before a test', now: NOW };
  const save = (): Promise<Rescued | undefined> => saveRescue(repo.git, request);
  const reset = () => resetInPlace(repo.git, path, base, 'llmc/adam');
  return { root, base, path, request, save, reset, worktree };
}

/** Prepares a repository so that any git that reads its configuration leaves a word in a file. Returns a function that reads it. */
export async function arm(repo: ScratchRepo, at: string): Promise<() => Promise<string>> {
  const canary = join(repo.dir, 'canary');
  const hooks = join(repo.dir, 'hooks');
  for (const name of ['post-checkout', 'post-index-change', 'reference-transaction', 'post-rewrite', 'pre-auto-gc']) {
    await repo.write(name, `#!/bin/sh\necho hook-${name} >>'${canary}'\n`, hooks);
    await chmod(join(hooks, name), 0o755);
  }
  const run = (word: string) => `sh -c "echo ${word} >>'${canary}'; cat"`;
  const settings = {
    'core.fsmonitor': `echo fsmonitor >>'${canary}'; false`,
    'core.hooksPath': hooks,
    'core.sshCommand': run('ssh'),
    'core.pager': run('pager'),
    'diff.external': run('external'),
    'diff.evil.textconv': run('textconv'),
    'remote.origin.uploadpack': `sh -c "echo uploadpack >>'${canary}'; false"`,
    'uploadpack.packObjectsHook': run('packObjectsHook'),
    'gpg.program': run('gpg'),
    'commit.gpgSign': 'true',
    'submodule.recurse': 'true',
  };
  await repo.write('.git-attributes', '* diff=evil\n', repo.dir);
  await repo.run(['config', 'core.attributesFile', join(repo.dir, '.git-attributes')], at);
  for (const [key, value] of Object.entries(settings)) await repo.run(['config', key, value], at);
  await rm(canary, { force: true });
  return () => repo.read('canary', repo.dir).catch(() => '');
}
