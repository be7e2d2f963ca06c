import { fault } from '../../base/fault.ts';
import { endOperation } from '../rebase/operation.ts';
import { dropRebaseRecord } from '../rebase/rebase-record.ts';
import { localRef } from '../refs.ts';
import { type Git, type GitCall, read, write } from '../run.ts';
import { hasSubmodules } from './submodule-status.ts';
import { cleanCall, resetSubmodules } from './submodules.ts';

/** Makes the branch a branch of its own: as a symbolic ref, the checkout would move the branch of another worker. */
const ownBranchCall = (worktree: string, branch: string, sha: string): GitCall =>
  write(worktree, 'update-ref', '--no-deref', localRef(branch), sha);
/** Moves the branch, attaches HEAD to it, and overwrites index and files in any state, also while the branch is checked out elsewhere. */
export const takeBranchCall = (worktree: string, branch: string, sha: string): GitCall =>
  write(
    worktree,
    ...['checkout', '--quiet', '--no-recurse-submodules', '--force', '--ignore-other-worktrees', '--no-track', '-B', branch, sha, '--'],
  );

/**
 * Resets the worktree to `sha` without replacing its directory, in which the agent runs. Resets checked-out submodules too.
 * Rescue first: this deletes untracked files and nested repositories. Safe to repeat.
 */
export async function resetInPlace(git: Git, worktree: string, sha: string, branch: string): Promise<void> {
  await endOperation(git, worktree);
  // It is about commits that the branch no longer has.
  dropRebaseRecord(worktree);
  if ((await git.run(ownBranchCall(worktree, branch, sha))).status !== 0) {
    await clearWay(git, worktree, branch);
    await git.ok(ownBranchCall(worktree, branch, sha));
  }
  fault('reset:after-branch');
  await git.ok(takeBranchCall(worktree, branch, sha));
  await git.ok(cleanCall(worktree));
  if (!(await hasSubmodules(git, worktree))) return;
  // The first checkout leaves a link in place of a submodule's parent if the submodule's path leads to a folder behind it (git 2.39).
  await git.ok(takeBranchCall(worktree, branch, sha));
  await resetSubmodules(git, worktree);
}

/** Gives branches below the name of the worker's branch another name: git cannot have both. */
export async function clearWay(git: Git, worktree: string, branch: string): Promise<void> {
  const rows = (await git.ok(read(worktree, 'for-each-ref', '--format=%(objectname) %(refname)', `${localRef(branch)}/`))).split('\n');
  for (const [sha, ref] of rows.filter(Boolean).map((row) => row.split(' ', 2))) {
    await git.ok(write(worktree, 'update-ref', localRef(`kept/${(ref ?? '').slice('refs/heads/'.length)}`), sha ?? ''));
    await git.ok(write(worktree, 'update-ref', '--no-deref', '-d', ref ?? ''));
  }
}
