import { LlmcError } from '../base/error.ts';
import { readChangedFiles } from './diff.ts';
import { mergeBase } from './inspect.ts';
import { type FormerMains, readWorkRange } from './rebase/former-main.ts';
import { trackingRef } from './refs.ts';
import type { Git } from './run.ts';

/** How much a commit changes. */
export interface ChangeSize {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Counts the files and lines that a commit changes since it left main, as it is or was, without the diff itself. A renamed file counts as in the review. */
export async function changeSize(git: Git, root: string, branch: string, commit: string, former: FormerMains): Promise<ChangeSize> {
  const { upstreams } = await readWorkRange(git, root, trackingRef(branch), commit, former);
  const base = await mergeBase(git, root, commit, ...upstreams);
  if (base === undefined) throw new LlmcError('GIT_FAILED', `${commit} has no history in common with ${branch}`);
  const files = await readChangedFiles(git, root, base, commit);
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + file[of], 0);
  return { files: files.length, added: sum('added'), removed: sum('removed') };
}
