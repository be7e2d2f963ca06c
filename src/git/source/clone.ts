import { join } from 'node:path';
import type { RunOptions } from '../../base/ports.ts';
import { AGENT_SETTINGS, ROOT_SETTINGS } from '../private/settings.ts';
import { localRef, trackingRef } from '../refs.ts';
import { type Git, type GitCall, gitFailed, listConfigCall, write } from '../run.ts';
import { giveIdentity } from './identity.ts';
import { setUpLfs } from './lfs.ts';
import { parseSettings, type Setting, settingsToCopy } from './local-config.ts';
import type { Source } from './source.ts';

/** Passes all settings to the clone, which saves a process for each. */
export const cloneCall = (
  source: string,
  branch: string,
  target: string,
  how: '--no-hardlinks' | '--no-local',
  settings: readonly Setting[],
): GitCall => ({
  ...write(
    '/',
    'clone',
    how,
    '--no-checkout',
    '--quiet',
    '--template=',
    '--no-reject-shallow',
    '--origin=origin',
    `--branch=${branch}`,
    ...settings.map(({ key, value }) => `--config=${key}=${value}`),
    '--',
    source,
    target,
  ),
  // The user may prefer another format, which git before 2.45 cannot read and which `privateFolder` does not link.
  env: { GIT_DEFAULT_REF_FORMAT: 'files' },
});

/** The clone as agents will find it, before there are any. */
const newCloneCall = (root: string, ...args: readonly string[]): GitCall => ({
  ...write('/', ...args),
  env: { GIT_DIR: join(root, '.git') },
});
const detachCall = (root: string, revision: string): GitCall => newCloneCall(root, 'update-ref', '--no-deref', 'HEAD', revision);
const dropBranchCall = (root: string, branch: string): GitCall => newCloneCall(root, 'update-ref', '-d', localRef(branch));

/**
 * Makes the root's repository: all objects, no files. llmc checks out nothing in the root itself,
 * because a `config.toml` or `logs/` of the repository would overwrite llmc's own. `ownIdentity`: git had none, so commits get llmc's.
 */
export async function cloneRoot(
  git: Git,
  source: Source,
  target: string,
  options?: RunOptions,
): Promise<{ readonly ownIdentity: boolean }> {
  const copied = settingsToCopy(parseSettings(await git.ok(listConfigCall(source.path))));
  await clone(git, source, target, [...ROOT_SETTINGS, ...AGENT_SETTINGS, ...copied], options);
  await dropLocalMain(git, target, source.branch);
  const exclude = join('info', 'exclude');
  // Files that the user ignores only on this machine must not be untracked in a worktree, or an agent commits them.
  if (await git.files.exists(join(source.gitDir, exclude))) {
    await git.files.copy(join(source.gitDir, exclude), join(target, '.git', exclude));
  }
  const ownIdentity = await giveIdentity(git, target);
  await setUpLfs(git, source, target, options);
  return { ownIdentity };
}

/**
 * The clone's own main branch would never move again and would mislead an agent that compares with `main`.
 * Without it, only `origin/main` exists. A main branch named `llmc` would also block the branches `llmc/<worker>`.
 */
async function dropLocalMain(git: Git, root: string, branch: string): Promise<void> {
  await git.ok(detachCall(root, trackingRef(branch)));
  await git.ok(dropBranchCall(root, branch));
}

async function clone(git: Git, source: Source, target: string, settings: readonly Setting[], options?: RunOptions): Promise<void> {
  // A copy would borrow what the source borrows (`git clone --shared`): the store has all objects itself.
  const isWhole = !(await git.files.exists(join(source.gitDir, 'objects', 'info', 'alternates')));
  const fast = isWhole && (await git.run(cloneCall(source.path, source.branch, target, '--no-hardlinks', settings), options));
  if (fast !== false && fast.status === 0) return;
  // git refuses to copy an object store with links in it. The ordinary transport works.
  const call = cloneCall(source.path, source.branch, target, '--no-local', settings);
  const slow = await git.run(call, options);
  if (slow.status !== 0) throw gitFailed(call, slow);
}
