import { basename, dirname, join } from 'node:path';
import { exists } from '../../system/files/files.ts';

/** Which repository a call uses. */
export type Place =
  /** The user's source, or a repository inside a worktree: git finds it by itself. */
  | { readonly kind: 'found' }
  /** The clone in the root. It has no work tree. */
  | { readonly kind: 'clone'; readonly gitDir: string }
  /** Without a work tree: the folder where git keeps HEAD and index of one. */
  | { readonly kind: 'worktree'; readonly gitDir: string; readonly commonDir: string; readonly workTree?: string };

/**
 * The git folder that only llmc uses: its own configuration, and links to the objects and refs of the clone. Agents use
 * `<root>/.git` with its configuration, attributes, grafts and hooks, and git reads none of those here.
 */
export const privateFolder = (root: string): string => join(root, 'run', 'git');

/** The folder where git keeps HEAD and index of a worktree. The id is the worker's name, never what a file says. */
export const administrativeFolder = (root: string, id: string): string => join(root, '.git', 'worktrees', id);

/**
 * The folder that the `.git` file of a worktree names. An agent that runs as a user of its own has a `.git` of its own, and without
 * mounts that has another path than the root's.
 */
export function namedFolder(root: string, id: string): string {
  const own = join(root, 'sandbox', id);
  return exists(join(own, 'user')) && exists(join(own, 'git')) ? join(own, 'git', 'worktrees', id) : administrativeFolder(root, id);
}

/** A root, each `<root>/.worktrees/<worker>` and its administrative folder have a fixed place. Everything else git finds by itself. */
export function placeOf(root: string | undefined, at: string): Place {
  if (root === undefined) return { kind: 'found' };
  if (at === root) return { kind: 'clone', gitDir: privateFolder(root) };
  if (dirname(at) === join(root, '.git', 'worktrees')) return { kind: 'worktree', gitDir: at, commonDir: privateFolder(root) };
  if (dirname(at) !== join(root, '.worktrees')) return { kind: 'found' };
  return { kind: 'worktree', gitDir: administrativeFolder(root, basename(at)), commonDir: privateFolder(root), workTree: at };
}

/** Names the repository, so that git follows neither the `.git` file nor `commondir`: an agent can write both. */
export function placeEnvironment(place: Place): Readonly<Record<string, string>> {
  switch (place.kind) {
    case 'found':
      return {};
    case 'clone':
      return { GIT_DIR: place.gitDir };
    case 'worktree': {
      const { gitDir, commonDir, workTree } = place;
      return { GIT_DIR: gitDir, GIT_COMMON_DIR: commonDir, ...(workTree !== undefined && { GIT_WORK_TREE: workTree }) };
    }
  }
}
