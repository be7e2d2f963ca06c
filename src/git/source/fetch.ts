import { LlmcError } from '../../base/error.ts';
import { localRef, trackingRef } from '../refs.ts';
import { type Git, type GitCall, gitFailed, read } from '../run.ts';
import { fetchCall } from './fetch-call.ts';
import { pointOriginAt, sourceMissing } from './origin.ts';

/** Fetches from the source's path: the remote `origin` may still point elsewhere. */
export const fetchMainCall = (root: string, branch: string, source: string): GitCall =>
  fetchCall(root, source, `+${localRef(branch)}:${trackingRef(branch)}`);
export const shaCall = (at: string, revision: string): GitCall =>
  read(at, 'rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`);

/** Fetches the source's main branch and returns its commit. */
export async function fetchMain(git: Git, root: string, branch: string, source: string): Promise<string> {
  const call = fetchMainCall(root, branch, source);
  // Not during a `worktree add`: its HEAD has no commit for a moment, and a fetch reads every HEAD (git 2.39).
  let answer = await git.locks.withLock(root, () => git.run(call));
  // Another fetch of the same root, such as an agent's, locks the ref for a moment and writes the same value.
  if (answer.status !== 0 && /cannot lock ref/.test(answer.stderr)) answer = await git.locks.withLock(root, () => git.run(call));
  if (answer.status === 0) {
    await pointOriginAt(git, source);
    return (await git.ok(shaCall(root, trackingRef(branch)))).trim();
  }
  if (/couldn't find remote ref/.test(answer.stderr)) {
    throw new LlmcError('BRANCH_NOT_FOUND', `the source has no branch "${branch}" any more`, {
      hint: `Restore it, or set [repo] branch in ${root}/config.toml`,
    });
  }
  if (/does not appear to be a git repository|does not exist|Could not read from remote/.test(answer.stderr)) {
    throw sourceMissing(root, source, answer.stderr);
  }
  throw gitFailed(call, answer);
}
