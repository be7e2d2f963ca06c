import { parseChangedFiles } from './changed-files.ts';
import { openObjectView } from './object-view.ts';
import { trackingRef } from './refs.ts';
import { type Git, type GitCall, read } from './run.ts';

/** How much a commit changes. */
export interface ChangeSize {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

const mergeBaseCall = (root: string, branch: string, commit: string): GitCall =>
  read(root, 'merge-base', '--end-of-options', trackingRef(branch), commit);

/** Counts the files and lines that a commit changes since it left main, without the diff itself. */
export async function changeSize(git: Git, root: string, branch: string, commit: string): Promise<ChangeSize> {
  const base = (await git.ok(mergeBaseCall(root, branch, commit))).trim();
  await using view = await openObjectView(root, commit);
  const options = ['-r', '-z', '--raw', '--numstat', '--no-abbrev', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const { files } = parseChangedFiles(await git.ok(view.call('diff-tree', ...options, '--end-of-options', base, commit)));
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + file[of], 0);
  return { files: files.length, added: sum('added'), removed: sum('removed') };
}
