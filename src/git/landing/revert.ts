import { commitsBetween } from '../commits.ts';
import { type Git, type GitCall, gitFailed, read, splitZ } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import type { Signing } from './signing.ts';
import { commitTree } from './squash.ts';

export type Reverted =
  | { readonly kind: 'reverted'; readonly sha: string }
  /** Main has nothing of the change any more. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'conflict'; readonly files: readonly string[] };

export interface Reverting {
  readonly source: string;
  readonly root: string;
  /** The commit to revert, and main, which contains it. */
  readonly landed: string;
  readonly main: string;
  readonly signing: Signing | undefined;
  /** For the commit: seconds and zone. */
  readonly date: string;
}

const treesCall = (source: string, ...commits: readonly string[]): GitCall =>
  read(source, 'log', '--no-walk=unsorted', '--no-show-signature', '--format=%T %P', '--end-of-options', ...commits, '--');
const mergeCall = (source: string, main: string, opposite: string): GitCall =>
  read(source, 'merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', '--end-of-options', main, opposite);

/**
 * Makes the commit that `git revert` makes, without a worktree: it merges main with a child of `landed` that has the files from before.
 * It works in the source, with the source's own objects: an agent can forge those in the root. No ref moves.
 */
export async function revertCommit(git: Git, reverting: Reverting): Promise<Reverted> {
  const { source, root, landed, main, signing, date } = reverting;
  const [ofLanded = '', ofMain = ''] = (await git.ok(treesCall(source, landed, main))).split('\n');
  const [, parent = ''] = ofLanded.split(' ');
  const [before = ''] = (await git.ok(treesCall(source, parent))).split(' ');
  const opposite = await commitTree(git, source, { tree: before, parents: [landed], message: 'The files from before', committed: date });
  const call = mergeCall(source, main, opposite);
  const merged = await git.run(call);
  // git 2.39 also ends with 1, and without a tree, if it does not find one of the commits.
  if (merged.status > 1 || merged.stdout === '') throw gitFailed(call, merged);
  const [tree = '', ...files] = splitZ(merged.stdout);
  if (merged.status === 1) return { kind: 'conflict', files: [...new Set(files)] };
  if (tree === ofMain.split(' ')[0]) return { kind: 'nothing' };
  const message = await revertMessage(git, source, parent, landed);
  const sha = await commitTree(git, source, { tree, parents: [main], message, committed: date, signing });
  await git.locks.withLock(root, () => git.ok(fetchCall(root, source, sha)));
  return { kind: 'reverted', sha };
}

/** As `git revert` writes it. */
async function revertMessage(git: Git, source: string, parent: string, landed: string): Promise<string> {
  const [commit] = await commitsBetween(git, source, parent, landed);
  return `Revert "${commit?.message.split('\n')[0] ?? ''}"\n\nThis reverts commit ${landed}.`;
}
