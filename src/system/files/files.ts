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
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { removeFile } from '../remove-file.ts';
import { temporaryFor } from './atomic-write.ts';
import { readOwnText } from './foreign-file.ts';

/** Small synchronous file effects, so that the other folders do not import `node:fs`. */

export const exists = existsSync;

export function readText(path: string): string {
  // The system's own error for a missing file.
  return readOwnText(path) ?? readFileSync(path, 'utf8');
}

export const readTextIfThere = readOwnText;

/** Asks the kernel, which also knows about a read-only file system. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** False for an existing directory without access; true for a missing one. */
export function isReachable(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EACCES');
  }
}

/** No names for a missing directory, and for what is not one. */
export function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? (namesInFolder(directory) ?? []) : [];
}

/** When a file was last written; 0 for a missing one. */
export function modifiedAt(path: string): number {
  return Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** Where links lead to. */
export function realPath(path: string): string {
  return realpathSync(path);
}

/** Undefined if the path is not a folder. */
export function namesInFolder(path: string): readonly string[] | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(path) : undefined;
}

export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    // Node 24 reports a read-only file system as a missing folder, but only if it makes the folders above as well.
    if (existsSync(dirname(path)) && !existsSync(path)) mkdirSync(path, { mode: 0o700 });
    else throw error;
  }
}

/** Writes a file that only this user may read. On a full disk the old content stays. */
export function writePrivate(path: string, content: string): void {
  makeDirectory(dirname(path));
  const draft = temporaryFor(path);
  // Never through a link that an agent put there: remove what is there, then insist on a new file.
  removeFile(draft);
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    removeFile(draft);
    throw error;
  }
}

/** Writes a private file that must not exist yet; false if it does. Of several processes, one gets true. */
export function createOnce(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

export { removeTree } from '../remove-file.ts';

export function isFreePlace(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || (found.isDirectory() && readdirSync(path).length === 0);
}

/** Creates the parent directories of `path`. The returned function removes those it created, if they are empty. */
export function makeParents(path: string): () => void {
  const first = mkdirSync(dirname(path), { recursive: true });
  return () => {
    if (first === undefined) return;
    try {
      for (let directory = dirname(path); directory.length >= first.length; directory = dirname(directory)) rmdirSync(directory);
    } catch {
      // Another process has put a file there, so keep the directory.
    }
  };
}

/** Creates a new directory next to `path`, on the same file system, so that one rename moves it into place. */
export function makeBeside(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  return mkdtempSync(join(dirname(path), `.${basename(path)}.`));
}

/** Whether only this user can write there. True for a missing path. */
export function isOwnAlone(directory: string): boolean {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  return found === undefined || (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0);
}

/** Whether two paths lead to the same file. False if one of them is missing. */
export function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => statSync(each, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && one.dev === two?.dev && one.ino === two.ino;
}

/** Renames a directory, also over an empty one: POSIX allows that, and refuses if the target is not empty. */
export function moveIntoPlace(from: string, to: string): void {
  renameSync(from, to);
}

/** Removes the access of other users, for any umask at its creation. */
export function makePrivate(directory: string): void {
  chmodSync(directory, 0o700);
}

/** The path of a socket is limited to about a hundred bytes, and TMPDIR may use all of them. */
function socketsFit(directory: string): boolean {
  return Buffer.byteLength(directory) <= 50;
}

/** The real path of the directory for temporary folders. */
function temporaryDirectory(): string {
  const usual = realpathSync(tmpdir());
  return socketsFit(usual) ? usual : realpathSync('/tmp');
}

/** Creates a temporary folder that only this user can enter, and returns its path. */
export function makeTemporary(prefix: string): string {
  return mkdtempSync(join(temporaryDirectory(), prefix));
}

/** The paths of the temporary folders with this prefix. */
export function temporariesLike(prefix: string): readonly string[] {
  const directory = temporaryDirectory();
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(directory, name));
}
