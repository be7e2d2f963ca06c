import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Small synchronous file effects, so that the folders above need no `node:fs` of their own. */

export const exists = existsSync;

export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

export function readTextIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
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

export function moveIntoPlace(from: string, to: string): void {
  if (existsSync(to)) rmdirSync(to);
  renameSync(from, to);
}

/** Closed to everybody else, whatever the umask was when it was made. */
export function makePrivate(directory: string): void {
  chmodSync(directory, 0o700);
}
