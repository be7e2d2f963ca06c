import { diffText } from '../diff.ts';
import { mergeBase } from '../inspect.ts';
import { nameCommits } from '../rebase/former-main.ts';
import { localRef } from '../refs.ts';
import { type Git, type GitCall, gitFailed, read, write } from '../run.ts';
import { resetInPlace } from '../worktree/reset.ts';
import { type Rescued, type RescueRequest, requireWhole, saveRescue } from './rescue.ts';
import type { Rescue } from './rescue-ref.ts';
import { bringInside, readNestedRescues, restoreInside, showInside } from './restore-nested.ts';

/** Outside `llmc/`, where a worker could be called `rescued`. */
const rescuedBranch = (rescued: Rescue): string => `llmc-rescued/${rescued.name.replace(':', '-')}`;

const createBranchCall = (root: string, branch: string, sha: string): GitCall => write(root, 'update-ref', localRef(branch), sha, '');
const branchShaCall = (root: string, branch: string): GitCall => read(root, 'rev-parse', '--quiet', '--verify', localRef(branch));
const takeFilesCall = (worktree: string, from: string, to: string): GitCall =>
  write(worktree, 'read-tree', '--no-recurse-submodules', '-m', '-u', '--end-of-options', from, to);
const unstageCall = (worktree: string): GitCall => write(worktree, 'reset', '--quiet', '--no-recurse-submodules');

/** Shows all saved work as one diff, commits and uncommitted changes, against the merge base with main. */
export async function showRescue(git: Git, root: string, rescued: Rescue, base: string): Promise<string> {
  const start = (await mergeBase(git, root, base, rescued.sha)) ?? rescued.parents[0] ?? rescued.sha;
  const [outside, { inside, invalid }] = await Promise.all([
    diffText(git, root, start, rescued.sha),
    readNestedRescues(git, root, rescued),
  ]);
  const parts = [outside];
  for (const each of inside) parts.push(await showInside(git, root, each));
  parts.push(await othersText(git, root, rescued));
  if (invalid > 0) parts.push(`llmc ignored ${invalid} of the entries about nested repositories: llmc did not write them.\n`);
  return parts.join('');
}

/** Only parents of the rescue: anyone who can write to the root may have written its message. */
async function othersText(git: Git, root: string, { name, parents, others }: Rescue): Promise<string> {
  const held = others.filter((sha) => parents.includes(sha));
  if (held.length === 0) return '';
  const rows = (await nameCommits(git, root, held)).map(({ commit, subject }) => `  ${commit.slice(0, 12)} ${subject}\n`);
  return `Commits that neither HEAD nor the branch had. Show one: llmc rescue show ${name}:<commit>; restore one: llmc rescue restore ${name}:<commit>\n`.concat(
    ...rows,
  );
}

/** Makes a branch in the root that holds the rescue. A repeated call returns the same branch. */
export async function restoreAsBranch(git: Git, root: string, rescued: Rescue): Promise<string> {
  const branch = rescuedBranch(rescued);
  const call = createBranchCall(root, branch, rescued.sha);
  const answer = await git.run(call);
  if (answer.status === 0 || (await git.run(branchShaCall(root, branch))).stdout.trim() === rescued.sha) return branch;
  throw gitFailed(call, answer);
}

/**
 * Restores the worktree: its branch at the old HEAD, the rest as uncommitted files. It does not continue a rebase that was
 * in progress; the branch from before the rebase is another parent of the rescue.
 * Rescues what is in the worktree now first, and returns that rescue.
 */
export async function restoreInto(
  git: Git,
  target: RescueRequest & { readonly branch: string },
  rescued: Rescue,
): Promise<Rescued | undefined> {
  const previous = await saveRescue(git, target);
  requireWhole(previous, target.worktree);
  const { inside: all } = await readNestedRescues(git, target.root, rescued);
  await bringInside(git, target.root, target.worktree, all);
  const head = rescued.parents[0] ?? rescued.sha;
  await resetInPlace(git, target.worktree, head, target.branch);
  await git.ok(takeFilesCall(target.worktree, head, rescued.sha));
  await git.ok(unstageCall(target.worktree));
  for (const inside of all) await restoreInside(git, target.root, target.worktree, inside);
  return previous;
}
