import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { makeDirectory, moveIntoPlace, removeTree, writePrivate } from '../../system/files/files.ts';
import { kindOf, readNoFollow, removeLink } from '../../system/files/no-follow.ts';
import { parseRefs, refsCall } from '../exchange/refs-of.ts';
import { alternatesFile, alternatesText } from '../private/guard.ts';
import { earlierFolder, ownRepository, requireNoLinkAbove, storeFolder, takenFolder } from '../private/place.ts';
import { localRef, workerBranch } from '../refs.ts';
import type { Git } from '../run.ts';
import { fencePushes } from '../source/push-fence.ts';

/** More is not a file of a repository that llmc copies. */
const LARGEST = 64 * 1024 * 1024;
const ORIGIN_HEAD = join('refs', 'remotes', 'origin', 'HEAD');
/** What the store and the repository of a worker have in common at its beginning. */
const COPIED = ['config', 'shallow', join('info', 'exclude'), ORIGIN_HEAD];

/**
 * Gives a worker a repository of its own: its branch, main and the tags as the store has them. It borrows the objects of the store, and its
 * agent writes new ones into it, so no worker can change what another one or a review reads. Safe to repeat; a half-made one is made again.
 */
export async function makeRepository(git: Git, root: string, worker: string): Promise<void> {
  const own = ownRepository(root, worker);
  requireNoLinkAbove(root, own);
  removeLink(own);
  if (kindOf(own) === 'folder') return;
  const store = storeFolder(root);
  const draft = `${own}.new`;
  removeTree(draft);
  for (const folder of ['info', 'hooks', 'logs', 'rr-cache', 'worktrees', join('objects', 'info'), join('objects', 'pack')])
    makeDirectory(join(draft, folder));
  for (const folder of [join('refs', 'heads', 'llmc'), join('refs', 'remotes', 'origin')]) makeDirectory(join(draft, folder));
  for (const name of COPIED) {
    const text = readNoFollow(join(store, name), LARGEST);
    if (text !== undefined) writePrivate(join(draft, name), text);
  }
  // No branch of this name exists: the work tree is the worktree, which has a HEAD of its own.
  writePrivate(join(draft, 'HEAD'), 'ref: refs/heads/nothing-checked-out\n');
  writePrivate(alternatesFile(draft), alternatesText(store));
  if (kindOf(join(store, 'lfs')) === 'folder') makeDirectory(join(draft, 'lfs'));
  const branch = localRef(workerBranch(worker));
  const refs = parseRefs(await git.ok(refsCall(root, branch, 'refs/remotes/origin', 'refs/tags')));
  // In a file of its own: behind a damaged file, git would find the old commit in the list.
  const tip = refs.get(branch);
  if (tip !== undefined) writePrivate(join(draft, branch), `${tip}\n`);
  const packed = [...refs].filter(([name]) => name !== branch).map(([name, sha]) => `${sha} ${name}\n`);
  // Without the usual head line, which would say that tags have a line for the commit behind them.
  writePrivate(join(draft, 'packed-refs'), packed.join(''));
  await fencePushes(git, draft);
  await takeEarlier(git, root, worker, draft);
  moveIntoPlace(draft, own);
  removeTree(earlierFolder(root, worker));
  await git.guard?.configure(worker);
}

/** Before workers had repositories of their own, the one in the root had HEAD, index and reflog of their worktrees. */
async function takeEarlier(git: Git, root: string, worker: string, draft: string): Promise<void> {
  const earlier = earlierFolder(root, worker);
  if (kindOf(earlier) !== 'folder') return;
  const { outcome, stderr } = await git.processes.run({
    file: 'cp',
    args: ['-a', '--', earlier, join(draft, 'worktrees', worker)],
    cwd: '/',
  });
  if (outcome.kind !== 'exited' || outcome.status !== 0)
    throw new LlmcError('GIT_WORKTREE_FAILED', `${earlier} cannot be copied`, { details: stderr.trim() });
}

/** Deletes the repository of a worker, and what llmc has of its worktree. Rescue first. */
export function removeRepository(git: Git, root: string, worker: string): void {
  const own = ownRepository(root, worker);
  requireNoLinkAbove(root, own);
  removeLink(own);
  // A rename is one step: a half-removed repository would look like one without commits. A crash may have left one.
  removeTree(`${own}.old`);
  if (kindOf(own) === 'folder') moveIntoPlace(own, `${own}.old`);
  removeTree(`${own}.old`);
  for (const folder of [takenFolder(root, worker), earlierFolder(root, worker)]) {
    removeLink(folder);
    removeTree(folder);
  }
  git.guard?.forget(worker);
}
