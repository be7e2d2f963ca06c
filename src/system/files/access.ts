import { chmodSync, closeSync, lstatSync, openSync, type Stats } from 'node:fs';

export type Access = 'private' | 'open' | 'foreign';

/** Who can use a path: only this user, others too, or it belongs to another user. Undefined for a missing path and for a link, whose mode means nothing. */
export function accessTo(path: string): Access | undefined {
  const found = lookAt(path);
  if (found === undefined || found.isSymbolicLink()) return undefined;
  if (found.uid !== process.getuid?.()) return 'foreign';
  // A group that may only pass through a folder sees nothing of it: so an agent with a user of its own reaches its worktree.
  const others = found.isDirectory() ? 0o067 : 0o077;
  return (found.mode & others) === 0 ? 'private' : 'open';
}

/** Node 24 throws for a path below a file, also where it is told to throw for no missing one. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Takes the access of other users away; false when there was none, or when the path belongs to another user. */
export function restrict(path: string): boolean {
  if (accessTo(path) !== 'open') return false;
  chmodSync(path, lstatSync(path).mode & 0o700);
  return true;
}

/**
 * Makes an empty file that only this user can read, unless there is a file already, which it restricts. It never opens an existing
 * file: closing it again would drop this process's locks on it (POSIX).
 */
export function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    restrict(path);
  }
}
