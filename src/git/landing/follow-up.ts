import { commitsBetween } from '../commits.ts';
import { type Git, type GitCall, gitFailed, read, splitZ } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import { takeObjects } from './land-merge.ts';
import type { Signing } from './signing.ts';
import { commitTree } from './squash.ts';

export type FollowUp =
  | {
      readonly kind: 'made';
      readonly sha: string;
      /** It has the files of `commit`: the branch has nothing besides. */
      readonly sameFiles: boolean;
    }
  /** The branch has the change already. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'conflict'; readonly files: readonly string[] };

export interface FollowUpInput {
  readonly source: string;
  readonly root: string;
  /** One commit on main. */
  readonly commit: string;
  readonly main: string;
  /** What the branch is now, in the source. */
  readonly tip: string;
  readonly signing: Signing | undefined;
  /** What the work has on top of the branch, if it was built on it. Then its files are those of the branch with its change. */
  readonly onBranch?: { readonly message: string } | undefined;
}

const treeCall = (source: string, commit: string): GitCall => read(source, 'rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`);
const mergeCall = (source: string, tip: string, commit: string): GitCall =>
  read(source, 'merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', '--end-of-options', tip, commit);

/**
 * Makes the commit that `git cherry-pick` makes on top of a branch, without a worktree: it merges a child of main that has the files of
 * the branch with the commit. It works in the source, with the source's own objects: an agent can forge those in the root. No ref moves.
 * The result depends only on its input, unless it is signed.
 */
export async function followUpCommit(git: Git, following: FollowUpInput): Promise<FollowUp> {
  const { source, root, commit, main, tip, signing, onBranch } = following;
  await takeObjects(git, { root, sha: commit }, source);
  const tree = async (of: string) => (await git.ok(treeCall(source, of))).trim();
  const [[words], before, own] = await Promise.all([commitsBetween(git, source, main, commit), tree(tip), tree(commit)]);
  const { message = '', author, committed } = words ?? {};
  const side = { tree: before, parents: [main], message: 'The files of the branch', committed };
  const merged = onBranch === undefined ? await merge(git, source, await commitTree(git, source, side), commit) : { after: own };
  if ('files' in merged) return { kind: 'conflict', files: merged.files };
  const { after } = merged;
  if (after === before) return { kind: 'nothing' };
  const said = { message: onBranch?.message ?? message, author, committed };
  const sha = await commitTree(git, source, { tree: after, parents: [tip], ...said, signing });
  await git.locks.withLock(root, () => git.ok(fetchCall(root, source, sha)));
  return { kind: 'made', sha, sameFiles: after === own };
}

async function merge(
  git: Git,
  source: string,
  side: string,
  commit: string,
): Promise<{ readonly after: string } | { readonly files: readonly string[] }> {
  const call = mergeCall(source, side, commit);
  const merged = await git.run(call);
  // git 2.39 also ends with 1, and without a tree, if it does not find one of the commits.
  if (merged.status > 1 || merged.stdout === '') throw gitFailed(call, merged);
  const [after = '', ...files] = splitZ(merged.stdout);
  return merged.status === 1 ? { files: [...new Set(files)] } : { after };
}
