import {
  closeSync,
  constants,
  copyFileSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { removeFile } from '../remove-file.ts';
import type { PlainKind } from './plain-file.ts';

/** Small synchronous file effects that follow no link: an agent may have put one there. */

/** What is at a path, without following a link there. */
export function readKind(path: string): PlainKind {
  const found = readStat(path);
  if (found === undefined) return 'missing';
  if (found.isSymbolicLink()) return 'link';
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
}

/** A path below a file does not exist either: an agent can put a file in place of a folder. */
function readStat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Two writes within one tick of the kernel's clock (4 ms on Linux) can give the same time and size. */
const SETTLED_AFTER_MS = 50;

/** Changes with the file, its kind and its mode. Undefined for a file written just now, because its next change could have the same stamp. */
export function entryStamp(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return 'missing';
  const { dev, ino, mode, size, mtimeNs, ctimeNs, ctimeMs } = found;
  return Date.now() - Number(ctimeMs) < SETTLED_AFTER_MS ? undefined : `${dev} ${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** The text of a plain file. Undefined for a link, a pipe, a folder, a missing file, and a file larger than `limit` bytes. */
export function readNoFollow(path: string, limit: number): string | undefined {
  let fd: number;
  try {
    // Without O_NONBLOCK, opening a pipe waits for its writer.
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const found = fstatSync(fd);
    return found.isFile() && found.size <= limit ? readFileSync(fd, 'utf8') : undefined;
  } finally {
    closeSync(fd);
  }
}

/**
 * Removes the symbolic links below a folder and returns their paths relative to it. A file with a second name becomes a copy of its own,
 * so that writing to it does not change the other one. Does not enter the folders in `except`.
 */
export function removeLinks(folder: string, except: readonly string[] = []): readonly string[] {
  const removed: string[] = [];
  const walk = (below: string): void => {
    for (const entry of listEntries(join(folder, below))) {
      const path = join(below, entry.name);
      if (entry.isSymbolicLink()) {
        unlinkSync(join(folder, path));
        removed.push(path);
      } else if (entry.isFile()) separate(join(folder, path));
      else if (entry.isDirectory() && !except.includes(path)) walk(path);
    }
  };
  walk('');
  return removed;
}

/** Gives each file below a folder that has a second name elsewhere a copy of its own. Follows no link. */
export function endHardLinks(folder: string): void {
  if (readKind(folder) !== 'folder') return;
  for (const entry of listEntries(folder)) {
    if (entry.isFile()) separate(join(folder, entry.name));
    else if (entry.isDirectory()) endHardLinks(join(folder, entry.name));
  }
}

/** The first symbolic link in a folder, without entering its folders. */
export function linkIn(folder: string): string | undefined {
  const link = listEntries(folder).find((entry) => entry.isSymbolicLink());
  return link && join(folder, link.name);
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function separate(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.nlink < 2) return;
  const copy = `${path}.llmc-${process.pid}`;
  copyFileSync(path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  // git compares the times of the index with those of the files.
  utimesSync(copy, found.atime, found.mtime);
  renameSync(copy, path);
}

/** Writes a file in place of what is there, also of a link. Leaves a folder alone. In a folder of another user, the file is theirs. */
export function replacePlain(path: string, text: string): void {
  if (readKind(path) === 'folder') return;
  const draft = `${path}.llmc-${process.pid}`;
  removeFile(draft);
  const fd = openSync(draft, 'wx');
  try {
    writeFileSync(fd, text);
    const { uid, gid } = lstatSync(dirname(path));
    // By its descriptor: the other user can put a link to a file of root under its name.
    if (process.getuid?.() === 0 && uid !== 0) fchownSync(fd, uid, gid);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, path);
}

/** Moves a folder to a new name in `into`. Leaves it where it is if `into` is on another disk. */
export function moveFolderAside(folder: string, into: string): void {
  mkdirSync(into, { recursive: true, mode: 0o700 });
  try {
    renameSync(folder, join(mkdtempSync(join(into, 'folder-')), basename(folder)));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
  }
}

/** Removes a symbolic link, and says whether there was one. */
export function removeLink(path: string): boolean {
  if (readKind(path) !== 'link') return false;
  unlinkSync(path);
  return true;
}

/** Makes a symbolic link, unless it is there. */
export function linkOnce(target: string, path: string): void {
  if (readKind(path) === 'missing') symlinkSync(target, path);
}
