import { localRef, workerBranch } from '../refs.ts';
import { type Git, type GitCall, read } from '../run.ts';
import { filesAt } from '../walled-files.ts';
import type { GitPlaces } from './places.ts';

/** A hash or the name of a ref, as git writes both. */
const POINTER = /^(?:ref: refs\/[^\s\0]+|[0-9a-f]{40}(?:[0-9a-f]{24})?)\s*$/;
/** More is not a hash and not the name of a ref. */
const LONGEST = 8_192;

const listIndexCall = (worktree: string): GitCall => read(worktree, 'ls-files', '--stage', '-z', '--', ':(top,literal).git');

/**
 * Replaces what keeps git from reading a worktree and holds nothing to save: a HEAD or a branch that names neither a commit nor a ref (empty,
 * cut, a link, a pipe), and an index that git cannot read. The commits that they named are in the reflog, and the files are in the worktree.
 * Leaves a HEAD that names a missing commit: that is a loss, and a person decides about it. Returns whether it replaced anything.
 */
export async function replaceBroken(git: Git, { worktree, worker, admin, common }: GitPlaces): Promise<boolean> {
  const files = filesAt(git, worktree);
  const isPointer = async (base: string, path: string) => POINTER.test((await files.readBeneath(base, path, LONGEST)) ?? '');
  let replaced = false;
  const branch = localRef(workerBranch(worker));
  // A folder there holds other branches.
  const kind = await files.kindBeneath(common, branch);
  if (kind !== 'missing' && kind !== 'folder' && !(await isPointer(common, branch))) {
    // git can neither update nor delete a ref that it cannot parse (git 2.39).
    await files.removeBeneath(common, branch);
    replaced = true;
  }
  if (!(await isPointer(admin, 'HEAD'))) {
    await files.removeBeneath(admin, 'HEAD');
    await files.replaceBeneath(admin, 'HEAD', `ref: ${branch}\n`);
    replaced = true;
  }
  const index = await files.kindBeneath(admin, 'index');
  if (index === 'missing' || (index === 'file' && (await git.run(listIndexCall(worktree))).status === 0)) return replaced;
  await files.removeBeneath(admin, 'index');
  return true;
}

/** What HEAD says, for a message. */
export async function readHeadFile(git: Git, { worktree, admin }: GitPlaces): Promise<string> {
  return ((await filesAt(git, worktree).readBeneath(admin, 'HEAD', LONGEST)) ?? '').trim();
}
