import { chmodSync, linkSync, lstatSync, mkdirSync, renameSync, type Stats, statSync, unlinkSync } from 'node:fs';

/** What a path of llmc has to be. A socket may be left over in the form of a file; a folder in its place cannot be replaced. */
export type PlaceKind = 'folder' | 'file' | 'socket';

export type PlaceProblem =
  /** Something else is there: `what` says what. */
  | { readonly kind: 'other'; readonly what: string }
  /** A link to nothing: its target may be on a disk that is not mounted. */
  | { readonly kind: 'dangling' }
  /** Its mode keeps its own user out. */
  | { readonly kind: 'closed' };

/** What is wrong with a path; undefined if it is as it has to be, or missing. */
export function placeProblem(path: string, wanted: PlaceKind): PlaceProblem | undefined {
  const found = lookAt(path, statSync);
  if (found === undefined) return lookAt(path, lstatSync) === undefined ? undefined : { kind: 'dangling' };
  if (!fits(found, wanted)) return { kind: 'other', what: describeKind(found) };
  const needed = wanted === 'folder' ? 0o700 : 0o600;
  const isClosed = wanted !== 'socket' && found.uid === process.getuid?.() && (found.mode & needed) !== needed;
  return isClosed ? { kind: 'closed' } : undefined;
}

function lookAt(path: string, look: typeof statSync | typeof lstatSync): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false });
  } catch {
    // Below a file, below a folder without access, or at the end of a circle of links: the path above it is the problem.
    return undefined;
  }
}

function fits(found: Stats, wanted: PlaceKind): boolean {
  if (wanted === 'socket') return !found.isDirectory();
  return wanted === 'folder' ? found.isDirectory() : found.isFile();
}

function describeKind(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFile()) return 'a file';
  return found.isSocket() ? 'a socket' : found.isFIFO() ? 'a pipe' : 'a device';
}

/** Lets its own user read and write a path again, and enter a folder. */
export function reopen(path: string, wanted: PlaceKind): void {
  chmodSync(path, (statSync(path).mode & 0o777) | (wanted === 'folder' ? 0o700 : 0o600));
}

/**
 * Gives what is not a `wanted` another name. Safe without a lock: each call works on one kind only, so it never moves what another process
 * has put there meanwhile. rename(2) does not put a file in the place of a folder, and link(2) does not take a folder.
 */
export function moveAside(path: string, wanted: PlaceKind, aside: string): void {
  if (wanted !== 'folder') {
    mkdirSync(aside, { mode: 0o700 });
    renameSync(path, aside);
    return;
  }
  try {
    linkSync(path, aside);
  } catch (error) {
    // A file system without hard links.
    if (!(error instanceof Error && 'code' in error && (error.code === 'EPERM' || error.code === 'ENOTSUP'))) throw error;
    if (lstatSync(path).isDirectory()) throw error;
    renameSync(path, aside);
    return;
  }
  unlinkSync(path);
}
