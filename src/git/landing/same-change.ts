import { type ObjectView, openObjectView } from '../object-view.ts';
import { type Git, type GitCall, gitFailed } from '../run.ts';

export const mergeCall = (view: ObjectView, main: string, commit: string): GitCall =>
  view.call('merge-tree', '--write-tree', '--no-messages', '--end-of-options', main, commit);
const treeCall = (view: ObjectView, commit: string): GitCall => view.call('rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`);

/**
 * True if `landing`, a commit on `main`, has exactly the files of main with the change of `reviewed` merged into them. Patches without
 * line numbers cannot show this: the same lines may stand in two places with the same surroundings.
 */
export async function isReviewedChange(git: Git, root: string, main: string, reviewed: string, landing: string): Promise<boolean> {
  await using view = await openObjectView(root, main);
  const merge = mergeCall(view, main, reviewed);
  const [merged, tree] = await Promise.all([git.run(merge), git.ok(treeCall(view, landing))]);
  // Status 1 means a conflict: then an agent has resolved it, which nobody reviewed.
  // git 2.39 also ends with 1, and without a tree, if it does not find one of the commits.
  if (merged.status > 1 || merged.stdout === '') throw gitFailed(merge, merged, 'Review it again: llmc review');
  return merged.status === 0 && merged.stdout.trim() === tree.trim();
}
