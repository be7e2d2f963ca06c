import { LlmcError } from '../base/error.ts';
import { parseChangedFiles } from './changed-files.ts';
import { mergeBase } from './inspect.ts';
import { openObjectView } from './object-view.ts';
import { type FormerMains, readWorkRange } from './rebase/former-main.ts';
import { trackingRef } from './refs.ts';
import type { Git } from './run.ts';

/** How much a commit changes. */
export interface ChangeSize {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Counts the files and lines that a commit changes since it left main, as it is or was, without the diff itself. */
export async function changeSize(git: Git, root: string, branch: string, commit: string, former: FormerMains): Promise<ChangeSize> {
  const { upstreams } = await readWorkRange(git, root, trackingRef(branch), commit, former);
  const base = await mergeBase(git, root, commit, ...upstreams);
  if (base === undefined) throw new LlmcError('GIT_FAILED', `${commit} has no history in common with ${branch}`);
  await using view = await openObjectView(root, commit);
  const options = ['-r', '-z', '--raw', '--numstat', '--no-abbrev', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const { files } = parseChangedFiles(await git.ok(view.call('diff-tree', ...options, '--end-of-options', base, commit)));
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + file[of], 0);
  return { files: files.length, added: sum('added'), removed: sum('removed') };
}
