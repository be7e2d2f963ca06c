import { join } from 'node:path';
import type { RunOptions } from '../base/ports.ts';
import { setUpLfs } from './lfs.ts';
import { parseConfig, type Setting, settingsToCopy } from './local-config.ts';
import { type Git, type GitCall, gitFailed, read, write } from './run.ts';
import type { Source } from './source.ts';

/** A path no repository can have; git prints it when someone tries to push. */
export const NO_PUSH = '/dev/null/workers-do-not-push--use-llmc-accept';

export const cloneCall = (source: string, branch: string, target: string, how: '--local' | '--no-local'): GitCall =>
  write(
    '/',
    'clone',
    how,
    '--no-checkout',
    '--quiet',
    '--template=',
    '--no-reject-shallow',
    '--origin=origin',
    `--branch=${branch}`,
    '--',
    source,
    target,
  );
export const listConfigCall = (gitDir: string): GitCall => read(gitDir, 'config', '--local', '--list', '-z');
export const setConfigCall = (root: string, { key, value }: Setting): GitCall =>
  write(root, 'config', '--local', '--replace-all', key, value);

export const ROOT_SETTINGS: readonly Setting[] = [
  { key: 'rerere.enabled', value: 'true' },
  { key: 'rerere.autoUpdate', value: 'true' },
  { key: 'remote.origin.pushurl', value: NO_PUSH },
  { key: 'remote.origin.fetch', value: '+refs/heads/*:refs/remotes/origin/*' },
  { key: 'remote.origin.tagOpt', value: '--no-tags' },
  // A worktree on a disk that is not mounted right now is not gone.
  { key: 'gc.worktreePruneExpire', value: 'never' },
  // Worktrees are pinned to llmc's branches: a push or pull without arguments has nowhere to go.
  { key: 'push.default', value: 'nothing' },
];

/**
 * Makes the root's repository: all objects, no files. Nothing is ever checked out
 * in the root itself, because the repository's own `config.toml` or `logs/` would meet llmc's.
 */
export async function cloneRoot(git: Git, source: Source, target: string, options?: RunOptions): Promise<void> {
  await clone(git, source, target, options);
  // One after the other: git config takes a lock on the file.
  const copied = settingsToCopy(parseConfig(await git.ok(listConfigCall(source.path))));
  for (const setting of [...ROOT_SETTINGS, ...copied]) await git.ok(setConfigCall(target, setting));
  const exclude = join('info', 'exclude');
  // What the user ignores only on this machine must not turn up as untracked in a worktree, or an agent commits it.
  if (await git.files.exists(join(source.gitDir, exclude))) {
    await git.files.copy(join(source.gitDir, exclude), join(target, '.git', exclude));
  }
  await setUpLfs(git, source, target, options);
}

async function clone(git: Git, source: Source, target: string, options?: RunOptions): Promise<void> {
  const fast = await git.run(cloneCall(source.path, source.branch, target, '--local'), options);
  if (fast.status === 0) return;
  // Hard links fail across disks, and `--local` refuses links inside the object store; the ordinary transport copes with both.
  const call = cloneCall(source.path, source.branch, target, '--no-local');
  const slow = await git.run(call, options);
  if (slow.status !== 0) throw gitFailed(call, slow);
}
