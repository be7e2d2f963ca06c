import { join } from 'node:path';
import { makeDirectory, moveIntoPlace, removeTree, writePrivate } from '../../system/files/files.ts';
import { readKind, readNoFollow, removeLink } from '../../system/files/no-follow.ts';
import { parseRefs, refsCall } from '../exchange/list-refs.ts';
import { alternatesFile, alternatesText } from '../private/guard.ts';
import { ownRepository, requireNoLinkAbove, storeFolder, takenFolder } from '../private/place.ts';
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
  if (readKind(own) === 'folder') return;
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
  if (readKind(join(store, 'lfs')) === 'folder') makeDirectory(join(draft, 'lfs'));
  const branch = localRef(workerBranch(worker));
  const refs = parseRefs(await git.ok(refsCall(root, branch, 'refs/remotes/origin', 'refs/tags')));
  // In a file of its own: behind a damaged file, git would find the old commit in the list.
  const tip = refs.get(branch);
  if (tip !== undefined) writePrivate(join(draft, branch), `${tip}\n`);
  const packed = [...refs].filter(([name]) => name !== branch).map(([name, sha]) => `${sha} ${name}\n`);
  // Without the usual head line, which would say that tags have a line for the commit behind them.
  writePrivate(join(draft, 'packed-refs'), packed.join(''));
  await fencePushes(git, draft);
  moveIntoPlace(draft, own);
  await git.guard?.configure(worker);
}

/** Deletes the repository of a worker, and what llmc has of its worktree. Rescue first. */
export function removeRepository(git: Git, root: string, worker: string): void {
  const own = ownRepository(root, worker);
  requireNoLinkAbove(root, own);
  removeLink(own);
  // A rename is one step: a half-removed repository would look like one without commits. A crash may have left one.
  removeTree(`${own}.old`);
  if (readKind(own) === 'folder') moveIntoPlace(own, `${own}.old`);
  removeTree(`${own}.old`);
  const taken = takenFolder(root, worker);
  removeLink(taken);
  removeTree(taken);
  git.guard?.forget(worker);
}
