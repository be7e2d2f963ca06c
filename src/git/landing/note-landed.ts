import { isAncestor } from '../inspect.ts';
import { trackingRef } from '../refs.ts';
import { type Git, type GitCall, gitFailed, write } from '../run.ts';
import { shaCall } from '../source/fetch.ts';

/** Keeps the commits of accepted work for an undo. Agents can write to these refs, so an undo takes the hash from the row of the landing. */
const landedRef = (landing: string): string => `refs/llmc/landed/${landing}`;

/** The work of a landing to keep, and of the one that is too old by now. */
export interface KeptWork {
  readonly landing: string;
  readonly work: string;
  readonly tooOld?: string | undefined;
}

const update = (ref: string, sha: string, before = ''): string => `option no-deref\nupdate ${ref} ${sha}${before && ` ${before}`}\n`;

/** One transaction: a second process would cost 3 to 4 ms at every accept. */
const noteLandedCall = (root: string, branch: string, sha: string, before: string, kept: KeptWork | undefined): GitCall => ({
  ...write(root, 'update-ref', '-m', 'llmc: landed', '--stdin'),
  stdin: `${update(trackingRef(branch), sha, before)}${kept === undefined ? '' : keptLines(kept)}`,
});
const keepWorkCall = (root: string, kept: KeptWork): GitCall => ({ ...write(root, 'update-ref', '--stdin'), stdin: keptLines(kept) });

/** git accepts the deletion of a ref that is gone. */
function keptLines({ landing, work, tooOld }: KeptWork): string {
  return `${update(landedRef(landing), work)}${tooOld === undefined ? '' : `option no-deref\ndelete ${landedRef(tooOld)}\n`}`;
}

/**
 * Moves the root's tracking ref of main to a commit that has just landed, which saves a fetch. Returns the value of the ref: a fetch
 * at the same time may have moved it further.
 */
export async function noteLanded(git: Git, root: string, branch: string, sha: string, before: string, kept?: KeptWork): Promise<string> {
  const call = noteLandedCall(root, branch, sha, before, kept);
  const answer = await git.locks.withLock(root, () => git.run(call));
  if (answer.status === 0) return sha;
  const now = (await git.ok(shaCall(root, trackingRef(branch)))).trim();
  if (!(await isAncestor(git, root, sha, now))) throw gitFailed(call, answer);
  if (kept !== undefined) await keepWork(git, root, kept);
  return now;
}

/** Keeps the work if git can: an undo then gives back all commits, and otherwise the one that landed. */
export async function keepWork(git: Git, root: string, kept: KeptWork): Promise<void> {
  await git.run(keepWorkCall(root, kept));
}
