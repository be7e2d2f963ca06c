import { commitsBetween } from '../commits.ts';
import { readCommitId, readTreeId } from '../inspect.ts';
import { commitTree } from '../landing/squash.ts';
import { type Git, type GitCall, read, write } from '../run.ts';
import { mergedTree } from './conflict.ts';

const mergesCall = (worktree: string, upstream: string, from: string): GitCall =>
  read(worktree, 'rev-list', '--merges', '--max-count=1', '--end-of-options', `${upstream}..${from}`, '--');
const filesCall = (worktree: string, from: string, to: string): GitCall => write(worktree, 'read-tree', '-m', '-u', from, to);
const moveHeadCall = (worktree: string, to: string, from: string): GitCall =>
  write(worktree, 'update-ref', '-m', 'llmc: what the merges changed', 'HEAD', to, from);

interface MovedMerges {
  /** The new base. */
  readonly onto: string;
  readonly after: string;
  /** The newest commit before the rebase. */
  readonly from: string;
}

export async function hasMerges(git: Git, worktree: string, upstream: string, from: string): Promise<boolean> {
  return (await git.ok(mergesCall(worktree, upstream, from))).trim() !== '';
}

/**
 * A rebase leaves merges out, and with them what a merge commit changed itself: a file that was added there, a conflict that was
 * resolved there. Puts that into the last of the rebased commits, whose files are then those of a merge of `from` into `after`, which
 * is the new base or stands for it. Safe to repeat: call it until it has returned once.
 */
export async function keepMerges(git: Git, worktree: string, { onto, after, from }: MovedMerges): Promise<void> {
  if (!(await hasMerges(git, worktree, after, from))) return;
  const [expected, head] = await Promise.all([mergedTree(git, worktree, after, from), readCommitId(git, worktree)]);
  if (expected === undefined || expected === (await readTreeId(git, worktree, head))) return;
  const rebased = await commitsBetween(git, worktree, onto, head);
  // Without a commit of its own that is left, the branch was nothing but merges.
  const [words, parents] = [rebased.at(-1) ?? (await commitsBetween(git, worktree, after, from)).at(-1), rebased.at(-1)?.parents];
  if (words === undefined) return;
  const { message, author, committed } = words;
  const sha = await commitTree(git, worktree, { tree: expected, parents: parents ?? [onto], message, author, committed });
  await git.ok(filesCall(worktree, head, sha));
  await git.ok(moveHeadCall(worktree, sha, head));
}
