import { readStatus } from './inspect.ts';
import { unfinishedOperation } from './operation.ts';
import { type Git, type GitCall, gitFailed, write } from './run.ts';

export interface Reset {
  /** Paths git would not delete: repositories inside the worktree. */
  readonly left: readonly string[];
}

/** Forgets the operation and leaves branch and files to the checkout that follows. */
const quitCall = (worktree: string, operation: string): GitCall => write(worktree, operation, '--quit');
const endBisectCall = (worktree: string): GitCall => write(worktree, 'bisect', 'reset', 'HEAD');
/** Moves the branch, attaches HEAD to it and overwrites index and files, whatever state they are in. */
export const takeBranchCall = (worktree: string, branch: string, sha: string): GitCall =>
  write(worktree, 'checkout', '--quiet', '--force', '--no-track', '-B', branch, sha, '--');
/** Without `-x`: ignored files such as node_modules stay. Without a second `-f`: so do repositories inside. */
export const cleanCall = (worktree: string): GitCall => write(worktree, 'clean', '--quiet', '--force', '-d');

/** The worktree fresh on `sha`, in the directory the agent lives in. Rescue first. Safe to repeat. */
export async function resetInPlace(git: Git, worktree: string, sha: string, branch: string): Promise<Reset> {
  await endOperation(git, worktree);
  await git.ok(takeBranchCall(worktree, branch, sha));
  await git.ok(cleanCall(worktree));
  return { left: (await readStatus(git, worktree)).changes.map((change) => change.path) };
}

async function endOperation(git: Git, worktree: string): Promise<void> {
  // A merge may hide behind a rebase, so look again after each.
  for (let unfinished = await unfinishedOperation(git, worktree), tries = 0; unfinished !== undefined && tries < 4; tries += 1) {
    const call = unfinished.operation === 'bisect' ? endBisectCall(worktree) : quitCall(worktree, unfinished.operation);
    const answer = await git.run(call);
    if (answer.status !== 0) throw gitFailed(call, answer);
    unfinished = await unfinishedOperation(git, worktree);
  }
}
