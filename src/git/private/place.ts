import { basename, dirname, join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { readKind } from '../../system/files/no-follow.ts';

/** Which repository a call uses. */
export type Place =
  /** The user's source, or a repository inside a worktree: git finds it by itself. */
  | { readonly kind: 'found' }
  /** llmc's store in the root. It has no work tree. */
  | { readonly kind: 'store'; readonly gitDir: string }
  /** Without a work tree: the folder where git keeps HEAD and index of one. */
  | { readonly kind: 'worktree'; readonly worker: string; readonly gitDir: string; readonly commonDir: string; readonly workTree?: string }
  /** What llmc took in from a worker: its HEAD in the store. */
  | { readonly kind: 'taken'; readonly gitDir: string; readonly commonDir: string };

/** llmc's store: the objects and refs that review and landing read. No git of an agent writes here. */
export const storeFolder = (root: string): string => join(root, '.git');

/** The repository of one worker: refs, settings, recorded conflicts and new objects. Its agent writes here, and nobody else reads it. */
export const ownRepository = (root: string, worker: string): string => join(root, 'sandbox', worker, 'git');

/**
 * The git folder that only llmc uses: its own configuration, and links to the objects and refs of the store, or of a worker's repository.
 * git reads neither configuration nor attributes, grafts and hooks there, which an agent can write.
 */
export const privateFolder = (root: string, worker?: string): string =>
  worker === undefined ? join(root, 'run', 'git') : join(root, 'run', 'workers', worker, 'git');

/** The folder where git keeps HEAD and index of a worktree. The id is the worker's name, never what a file says. */
export const administrativeFolder = (root: string, worker: string): string => join(ownRepository(root, worker), 'worktrees', worker);

/** The folder in the store that has the HEAD of a worker as llmc last took it in. */
export const takenFolder = (root: string, worker: string): string => join(storeFolder(root), 'taken', worker);

/** The worker whose worktree or administrative folder this is. */
export function findWorkerByPath(root: string, at: string): string | undefined {
  const name = basename(at);
  return at === join(root, '.worktrees', name) || at === administrativeFolder(root, name) ? name : undefined;
}

/**
 * A root, each `<root>/.worktrees/<worker>` and its administrative folder have a fixed place. Everything else git finds by itself.
 * `taken`: of a worktree, what llmc took in of it.
 */
export function locateGit(root: string | undefined, at: string, taken = false): Place {
  if (root === undefined) return { kind: 'found' };
  if (at === root) return { kind: 'store', gitDir: privateFolder(root) };
  const worker = findWorkerByPath(root, at);
  if (worker === undefined) return { kind: 'found' };
  if (taken) return { kind: 'taken', gitDir: takenFolder(root, worker), commonDir: privateFolder(root) };
  const place = {
    kind: 'worktree',
    worker,
    gitDir: administrativeFolder(root, worker),
    commonDir: privateFolder(root, worker),
  } as const;
  return dirname(at) === join(root, '.worktrees') ? { ...place, workTree: at } : place;
}

/**
 * Throws if there is a link on the way from the root to the repository of a worker. An agent can put one there, and llmc would write and
 * delete in the folder behind it.
 */
export function requireNoLinkAbove(root: string, repository: string): void {
  for (const folder of [dirname(dirname(repository)), dirname(repository)]) {
    if (folder === root || readKind(folder) !== 'link') continue;
    throw new LlmcError('GIT_WORKTREE_FAILED', `${folder} is a link, and llmc keeps repositories of workers there`, {
      hint: `Remove the link, then try again: ${commandLine('rm', '--', folder)}`,
    });
  }
}

/** Names the repository, so that git follows neither the `.git` file nor `commondir`: an agent can write both. */
export function placeEnvironment(place: Place): Readonly<Record<string, string>> {
  switch (place.kind) {
    case 'found':
      return {};
    case 'store':
      return { GIT_DIR: place.gitDir };
    case 'taken':
      return { GIT_DIR: place.gitDir, GIT_COMMON_DIR: place.commonDir };
    case 'worktree': {
      const { gitDir, commonDir, workTree } = place;
      return { GIT_DIR: gitDir, GIT_COMMON_DIR: commonDir, ...(workTree !== undefined && { GIT_WORK_TREE: workTree }) };
    }
  }
}
