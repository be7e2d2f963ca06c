import { unfinishedOperation } from '../rebase/operation.ts';
import { localRef } from '../refs.ts';
import { type Git, type GitCall, read, write } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import { findTip, hasCommit, listWorktrees } from './land.ts';
import { pushCall, refusal } from './land-push.ts';
import { busyText } from './landed.ts';
import { takeBackInCheckout } from './take-back-checkout.ts';
import type { TakenBack } from './taken-back.ts';

export interface TakingBranchBack {
  readonly source: string;
  readonly root: string;
  /** Not main. */
  readonly branch: string;
  /** The commit to take back. */
  readonly landed: string;
  /** What the branch was before; null if the landing made it. */
  readonly before: string | null;
}

/** Deletes the branch only if it still is the commit that landed. */
const deleteCall = ({ source, root, branch, landed }: TakingBranchBack): GitCall =>
  write(
    root,
    ...['push', '--porcelain', '--no-verify', '--no-signed', '--no-follow-tags', '--recurse-submodules=no'],
    ...[`--force-with-lease=${localRef(branch)}:${landed}`, '--', source, `:${localRef(branch)}`],
  );
const remotesCall = (source: string, sha: string): GitCall =>
  read(source, 'for-each-ref', '--format=%(refname:short)', '--count=1', `--contains=${sha}`, 'refs/remotes');

/** Moves a branch of the source to the commit before a landing, or deletes it if the landing made it. Safe to repeat. */
export async function takeBranchBack(git: Git, taking: TakingBranchBack): Promise<TakenBack> {
  const { source, branch, landed, before } = taking;
  const worktrees = await listWorktrees(git, taking);
  const checkout = worktrees.find((each) => each.branch === branch && !each.bare);
  const tip = await findTip(git, taking);
  if (tip !== landed && tip !== before) return { kind: 'moved', now: tip };
  if (before !== null && !(await hasCommit(git, source, before, landed)))
    return { kind: 'refused', reason: `${landed.slice(0, 12)} in ${source} does not follow ${before.slice(0, 12)}` };
  if (checkout !== undefined && tip !== null) {
    // After a crash, the branch may be back while the files are not.
    if (before !== null) return await takeBackInCheckout(git, { ...taking, onto: before }, checkout);
    const reason = `${branch} is checked out in ${checkout.path}, and would be deleted`;
    return { kind: 'refused', reason, todo: `Switch to another branch in ${checkout.path}` };
  }
  if (tip === before) return { kind: 'already-back' };
  for (const worktree of worktrees.filter((each) => each.branch === undefined && !each.bare && each.prunable === undefined)) {
    const unfinished = await unfinishedOperation(git, worktree.path);
    // HEAD is detached during a rebase, so the branch looks free.
    if (unfinished?.branch === branch) return { kind: 'refused', reason: busyText(unfinished.operation, worktree.path) };
  }
  return await byPush(git, taking);
}

/** The lease makes the push a compare-and-swap, and the source's settings and hooks can refuse it. */
async function byPush(git: Git, taking: TakingBranchBack): Promise<TakenBack> {
  const { source, root, branch, landed, before } = taking;
  // The push takes it from the root, where git may have cleaned it up.
  if (before !== null) await git.locks.withLock(root, () => git.run(fetchCall(root, source, before)));
  const call = before === null ? deleteCall(taking) : pushCall({ source, root, branch, sha: before, onto: landed, reviewed: null });
  const pushed = await git.run(call);
  if (pushed.status === 0) return { kind: 'taken-back' };
  const now = await findTip(git, taking);
  if (now === before) return { kind: 'already-back' };
  return now === landed ? { kind: 'refused', reason: `${source} refused the push: ${refusal(pushed)}` } : { kind: 'moved', now };
}

/** A remote branch that the source knows to have the commit. */
export async function remoteWith(git: Git, source: string, landed: string): Promise<string | undefined> {
  return (await git.ok(remotesCall(source, landed))).trim() || undefined;
}
