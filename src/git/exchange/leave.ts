import type { Git } from '../run.ts';
import { exchange } from './exchange.ts';

/**
 * Ends a worker's life in the sandbox: takes its commits out and removes its private `.git`. Its files stay as they are; a rebase
 * in progress and what was staged are forgotten. Only without a running agent. Safe to repeat.
 */
export async function leaveSandbox(
  git: Git,
  files: {
    readonly remove: (path: string) => void;
    readonly exists: (path: string) => boolean;
    readonly rename: (from: string, to: string) => void;
  },
  place: { readonly root: string; readonly worktree: string; readonly store: string },
): Promise<void> {
  if (!files.exists(place.store)) return;
  await exchange(git, place.root, place.worktree);
  // A rename is one step: a half-removed folder would look like a sandbox without commits.
  files.rename(place.store, `${place.store}.old`);
  files.remove(`${place.store}.old`);
}
