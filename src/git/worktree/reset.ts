import { endOperation } from '../rebase/operation.ts';
import { type Git, type GitCall, write } from '../run.ts';
import { cleanCall, resetSubmodules } from './submodules.ts';

/** Moves the branch, attaches HEAD to it and overwrites index and files, whatever state they are in. */
export const takeBranchCall = (worktree: string, branch: string, sha: string): GitCall =>
  write(worktree, 'checkout', '--quiet', '--force', '--no-track', '-B', branch, sha, '--');

/**
 * The worktree fresh on `sha`, in the directory the agent lives in, with the submodules that are checked out in it.
 * Rescue first: it deletes what is not tracked, repositories included. Safe to repeat.
 */
export async function resetInPlace(git: Git, worktree: string, sha: string, branch: string): Promise<void> {
  await endOperation(git, worktree);
  await git.ok(takeBranchCall(worktree, branch, sha));
  await git.ok(cleanCall(worktree));
  await resetSubmodules(git, worktree);
}
