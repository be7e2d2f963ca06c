import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Small synchronous file effects, so that the folders above need no `node:fs` of their own. */

export const exists = existsSync;

export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

export function readTextIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** As the kernel sees it, a file system that is mounted read-only included. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** False for a directory that is there and may not be entered; one that is not there stands in nobody's way. */
export function isReachable(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EACCES');
  }
}

/** Nothing for a directory that is not there. */
export function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

export function makeDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** For what only this user may read, whatever the umask. */
export function writePrivate(path: string, content: string): void {
  makeDirectory(dirname(path));
  writeFileSync(path, content, { mode: 0o600 });
  chmodSync(path, 0o600);
}

export function removeTree(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

export function isFreePlace(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || (found.isDirectory() && readdirSync(path).length === 0);
}

/** Makes the directories above `path`; the answer takes back those it made, as far as they are empty. */
export function makeParents(path: string): () => void {
  const first = mkdirSync(dirname(path), { recursive: true });
  return () => {
    if (first === undefined) return;
    try {
      for (let directory = dirname(path); directory.length >= first.length; directory = dirname(directory)) rmdirSync(directory);
    } catch {
      // Somebody has put something there: theirs to keep.
    }
  };
}

/** A fresh directory next to `path`, on the same file system, so that a rename into place is one step. */
export function makeBeside(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  return mkdtempSync(join(dirname(path), `.${basename(path)}.`));
}

/** Whether nobody else can put anything there. A place that does not exist is nobody else's either. */
export function isOwnAlone(directory: string): boolean {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  return found === undefined || (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0);
}

/** One step, over an empty directory too: POSIX lets a directory replace an empty one, and refuses when there is something in it. */
export function moveIntoPlace(from: string, to: string): void {
  renameSync(from, to);
}

/** Closed to everybody else, whatever the umask was when it was made. */
export function makePrivate(directory: string): void {
  chmodSync(directory, 0o700);
}

/** Paths of sockets hold about a hundred bytes, and TMPDIR may take all of them. */
function socketsFit(directory: string): boolean {
  return Buffer.byteLength(directory) <= 50;
}

/** The directory for folders that are soon gone, by its real path. */
function temporaryDirectory(): string {
  const usual = realpathSync(tmpdir());
  return socketsFit(usual) ? usual : realpathSync('/tmp');
}

/** A new folder there that only this user can enter; the answer is its path. */
export function makeTemporary(prefix: string): string {
  return mkdtempSync(join(temporaryDirectory(), prefix));
}

/** The paths of those whose names begin like this. */
export function temporariesLike(prefix: string): readonly string[] {
  const directory = temporaryDirectory();
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(directory, name));
}
