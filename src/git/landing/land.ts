import { LlmcError } from '../../base/error.ts';
import { unfinishedOperation } from '../rebase/operation.ts';
import { localRef } from '../refs.ts';
import { complaint, type Git, type GitCall, read } from '../run.ts';
import { tipCall } from '../source/fetch.ts';
import { sourceMissing } from '../source/origin.ts';
import { listWorktreesCall, parseWorktrees, type Worktree } from '../worktree/worktree-list.ts';
import { landByMerge } from './land-merge.ts';
import { landByPush } from './land-push.ts';
import { type BranchLanding, busyText, type Landed } from './landed.ts';

/** A name that points at another branch: what is put on it would move that one. */
export const symbolicCall = (source: string, branch: string): GitCall => read(source, 'symbolic-ref', '--quiet', localRef(branch));
const containsCall = (source: string, sha: string, tip: string): GitCall =>
  read(source, 'merge-base', '--is-ancestor', '--end-of-options', sha, tip);

/** Puts a commit on a branch of the source, by merge or by push. Safe to repeat. */
export async function land(git: Git, landing: BranchLanding): Promise<Landed> {
  const worktrees = await listWorktrees(git, landing);
  const checkout = worktrees.find((each) => each.branch === landing.branch && !each.bare);
  const tip = landing.elsewhere === true ? await findTip(git, landing) : (checkout?.head ?? (await readTip(git, landing)));
  const early = await before(git, landing, tip);
  if (early !== undefined) return early;
  const outcome = await attempt(git, landing, worktrees, checkout);
  if (outcome.kind !== 'refused') return outcome;
  // The branch may have moved during the attempt. That is not a refusal.
  const now = await (landing.elsewhere === true ? findTip : readTip)(git, landing);
  return now === landing.onto ? outcome : ((await before(git, landing, now)) ?? outcome);
}

async function before(git: Git, { source, sha, onto }: BranchLanding, tip: string | null): Promise<Landed | undefined> {
  if (tip === sha) return { kind: 'already-landed' };
  if (tip === onto) return undefined;
  if (tip === null) return { kind: 'moved', now: null };
  return (await hasCommit(git, source, sha, tip)) ? { kind: 'already-landed' } : { kind: 'moved', now: tip };
}

async function attempt(git: Git, landing: BranchLanding, worktrees: readonly Worktree[], checkout: Worktree | undefined): Promise<Landed> {
  if (checkout !== undefined && landing.onto === null) return { kind: 'refused', reason: unborn(landing.branch, checkout.path) };
  if (checkout !== undefined) return landByMerge(git, landing, checkout);
  for (const worktree of worktrees.filter((each) => each.branch === undefined && !each.bare && each.prunable === undefined)) {
    const unfinished = await unfinishedOperation(git, worktree.path);
    // HEAD is detached during a rebase, so the branch looks free. Moving it now would break the end of the user's rebase.
    if (unfinished?.branch === landing.branch)
      return { kind: 'refused', reason: busyText(unfinished.operation, worktree.path), where: worktree.path };
  }
  return landByPush(git, landing);
}

/** Whether a commit of the source contains another. git fails if the source has never seen that one: then it does not. */
export async function hasCommit(git: Git, source: string, sha: string, tip: string): Promise<boolean> {
  return (await git.run(containsCall(source, sha, tip))).status === 0;
}

const unborn = (branch: string, where: string): string =>
  `${branch} has no commit yet and is checked out in ${where}: commit to it or switch to another branch there first`;

export async function listWorktrees(git: Git, { root, source }: Pick<BranchLanding, 'root' | 'source'>): Promise<Worktree[]> {
  const answer = await git.run(listWorktreesCall(source));
  if (answer.status === 0) return parseWorktrees(answer.stdout);
  throw sourceMissing(root, source, answer.stderr);
}

/** The commit of a branch of the source; null if there is no such branch. */
export async function findTip(
  git: Git,
  { source, branch, root }: Pick<BranchLanding, 'source' | 'branch' | 'root'>,
): Promise<string | null> {
  const answer = await git.run(tipCall(source, branch));
  if (answer.status === 0) return answer.stdout.trim();
  // git ends with 1 for a missing ref, and with 128 for a repository that it cannot read.
  if (answer.status === 1) return null;
  throw sourceMissing(root, source, answer.stderr);
}

export async function readTip(git: Git, { source, branch, root }: Pick<BranchLanding, 'source' | 'branch' | 'root'>): Promise<string> {
  const answer = await git.run(tipCall(source, branch));
  if (answer.status === 0) return answer.stdout.trim();
  throw new LlmcError('BRANCH_NOT_FOUND', `${source} has no branch "${branch}" any more`, {
    hint: `Restore it, or set [repo] branch in ${root}/config.toml`,
    details: complaint(answer.stderr),
  });
}
