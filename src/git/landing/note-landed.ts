import { isAncestor } from '../inspect.ts';
import { trackingRef } from '../refs.ts';
import { type Git, type GitCall, gitFailed, write } from '../run.ts';
import { shaCall } from '../source/fetch.ts';

const moveTrackingCall = (root: string, branch: string, sha: string, before: string): GitCall =>
  write(root, 'update-ref', '--no-deref', '-m', 'llmc: landed', trackingRef(branch), sha, before);

/**
 * Moves the root's tracking ref of main to a commit that has just landed, which saves a fetch. Returns the value of the ref: a fetch
 * at the same time may have moved it further.
 */
export async function noteLanded(git: Git, root: string, branch: string, sha: string, before: string): Promise<string> {
  const call = moveTrackingCall(root, branch, sha, before);
  const answer = await git.locks.withLock(root, () => git.run(call));
  if (answer.status === 0) return sha;
  const now = (await git.ok(shaCall(root, trackingRef(branch)))).trim();
  if (await isAncestor(git, root, sha, now)) return now;
  throw gitFailed(call, answer);
}
