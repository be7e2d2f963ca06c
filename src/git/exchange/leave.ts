import { type Git, type GitCall, write } from '../run.ts';
import { exchange } from './exchange.ts';
import { parseRefs, refsCall } from './refs-of.ts';

const deleteRefsCall = (root: string, names: readonly string[]): GitCall => ({
  ...write(root, 'update-ref', '--stdin'),
  stdin: names.map((name) => `delete ${name}\n`).join(''),
});

/** Forgets the imported commits of a worker that is removed. */
export async function forgetImported(git: Git, root: string, worker: string): Promise<void> {
  const names = [...parseRefs(await git.ok(refsCall(root, `refs/llmc/imported/${worker}`))).keys()];
  if (names.length > 0) await git.ok(deleteRefsCall(root, names));
}

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
