import { unfinishedOperation } from '../rebase/operation.ts';
import { type Git, type GitCall, read } from '../run.ts';
import { listWorktrees, readTip } from './land.ts';
import { pushCall, refusal } from './land-push.ts';
import { busyText } from './landed.ts';
import { takeBackInCheckout } from './take-back-checkout.ts';
import type { TakenBack, TakingBack } from './taken-back.ts';

const parentsCall = (source: string, sha: string): GitCall => read(source, 'rev-list', '--no-walk', '--parents', '--end-of-options', sha);
const remotesCall = (source: string, sha: string): GitCall =>
  read(source, 'for-each-ref', '--format=%(refname:short)', '--count=1', `--contains=${sha}`, 'refs/remotes');

/** Moves the source's main branch from a commit that landed to the one before it, as landing moves it forward. Safe to repeat. */
export async function takeBack(git: Git, taking: TakingBack): Promise<TakenBack> {
  const { branch, landed, onto } = taking;
  const worktrees = await listWorktrees(git, taking);
  const checkout = worktrees.find((each) => each.branch === branch && !each.bare);
  const tip = checkout?.head ?? (await readTip(git, taking));
  if (tip !== landed && tip !== onto) return { kind: 'moved', now: tip };
  if (tip === landed) {
    const obstacle = await obstacleTo(git, taking);
    if (obstacle !== undefined) return obstacle;
  }
  // After a crash, the branch may be back while the files are not.
  if (checkout !== undefined) return await takeBackInCheckout(git, taking, checkout);
  if (tip === onto) return { kind: 'already-back' };
  for (const worktree of worktrees.filter((each) => each.branch === undefined && !each.bare && each.prunable === undefined)) {
    const unfinished = await unfinishedOperation(git, worktree.path);
    // HEAD is detached during a rebase, so the branch looks free.
    if (unfinished?.branch === branch) return { kind: 'refused', reason: busyText(unfinished.operation, worktree.path) };
  }
  return await takeBackByPush(git, taking);
}

async function obstacleTo(git: Git, { source, landed, onto }: TakingBack): Promise<TakenBack | undefined> {
  const [parents, remotes] = await Promise.all([git.ok(parentsCall(source, landed)), git.ok(remotesCall(source, landed))]);
  // The source's own objects decide what was before, not what a row says.
  if (parents.trim() !== `${landed} ${onto}`)
    return { kind: 'refused', reason: `${landed.slice(0, 12)} in ${source} does not follow ${onto.slice(0, 12)}` };
  const ref = remotes.trim();
  return ref === '' ? undefined : { kind: 'published', ref };
}

/** The lease makes the push a compare-and-swap, and the source's settings and hooks can refuse it. */
async function takeBackByPush(git: Git, taking: TakingBack): Promise<TakenBack> {
  const { source, root, branch, landed, onto } = taking;
  const pushed = await git.run(pushCall({ source, root, branch, sha: onto, onto: landed, reviewed: null }));
  if (pushed.status === 0) return { kind: 'taken-back' };
  const now = await readTip(git, taking);
  if (now === onto) return { kind: 'already-back' };
  return now === landed ? { kind: 'refused', reason: `${source} refused the push: ${refusal(pushed)}` } : { kind: 'moved', now };
}
