import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, copyFile, mkdir, readdir, realpath, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { emptyBeneath, makeBeneath, removeBeneath, writeBeneath } from './beneath.ts';
import { readOwnText } from './foreign-file.ts';
import { filesBeneath, firstOdd, kindBeneath, type PlainKind, readBeneath, readPlain, sizeBeneath, type WalkLimits } from './plain-file.ts';
import { makeScratchFolder } from './scratch-folder.ts';
import { type SyncResult, syncFile } from './sync-file.ts';

/** The file operations that the git layer does without git. */
export interface TreeFiles {
  exists(path: string): Promise<boolean>;
  /** Undefined when there is no such file. */
  readText(path: string): Promise<string | undefined>;
  /** Overwrites a file and sets its modification time; creates parent directories. */
  copy(from: string, to: string): Promise<void>;
  /** Makes `to` equal to `from` (content and mode), unless that would write outside `within` or through a link. */
  sync(from: string, to: string, within: string): Promise<SyncResult>;
  /** Copies the files below `from` that are missing below `to` and whose names are their hashes (SHA-256), and returns their number. */
  copyHashed(from: string, to: string): Promise<number>;
  /** The names in a directory; none if it is missing or not a directory. */
  entries(path: string): Promise<readonly string[]>;
  /** Deletes `path` below `base` without following a link. */
  removeBeneath(base: string, path: string): Promise<void>;
  /** Deletes everything in the folder `path` below `base` without following a link. */
  emptyBeneath(base: string, path: string): Promise<void>;
  /** Makes the folder `path` below `base`, unless a link or a file is on the way. Returns whether it is there. */
  makeBeneath(base: string, path: string): Promise<boolean>;
  /** Writes a file below `base` in place of the file or link that is there, and never through a link. */
  replaceBeneath(base: string, path: string, text: string): Promise<void>;
  /** The same for an executable file. */
  writeProgramBeneath(base: string, path: string, text: string): Promise<void>;
  /** What is at `path` below `base`; "missing" also if a link is on the way to it. */
  kindBeneath(base: string, path: string): Promise<PlainKind>;
  /** The bytes of the plain file at `path` below `base`; undefined for anything else, and if a link is on the way to it. */
  sizeBeneath(base: string, path: string): Promise<number | undefined>;
  /** The content of a regular file; undefined for anything else and for more than `limit` bytes. */
  readPlain(path: string, limit: number): Promise<string | undefined>;
  /** The same for `path` below `base`; undefined also if a link is on the way to it. */
  readBeneath(base: string, path: string, limit: number): Promise<string | undefined>;
  /** The plain files in the folder `path` below `base` and in its folders, by their paths relative to it; follows no link. */
  filesBeneath(base: string, path: string, limits: WalkLimits): Promise<readonly string[]>;
  /** The first entry below a folder that is neither a file nor a folder, such as a link or a pipe. */
  firstOdd(folder: string): Promise<string | undefined>;
  realPath(path: string): Promise<string>;
  /** A new folder that only this user can read, deleted at the end. */
  scratch(): Promise<Scratch>;
}

export interface Scratch extends AsyncDisposable {
  readonly path: string;
  write(name: string, text: string): Promise<void>;
  /** Makes a symbolic link in the folder. */
  link(name: string, target: string): Promise<void>;
}

export const treeFiles: TreeFiles = {
  exists: (path) => access(path).then(yes, no),
  // Of plain files only: a pipe in the place of one of git's files would be waited for without end.
  readText: async (path) => readOwnText(path),
  async copy(from, to) {
    await mkdir(dirname(to), { recursive: true });
    const { atime, mtime } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, mtime);
  },
  sync: syncFile,
  copyHashed,
  entries: async (path) => (await readdir(path).catch(onlyMissing)) ?? [],
  removeBeneath,
  emptyBeneath,
  makeBeneath,
  replaceBeneath: (base, path, text) => writeBeneath(base, path, text, 0o644),
  writeProgramBeneath: (base, path, text) => writeBeneath(base, path, text, 0o755),
  kindBeneath,
  sizeBeneath,
  readPlain,
  readBeneath,
  filesBeneath,
  firstOdd,
  realPath: (path) => realpath(path),
  scratch,
};

async function scratch(): Promise<Scratch> {
  const path = await makeScratchFolder('private');
  return {
    path,
    async write(name, text) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), text);
    },
    async link(name, target) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await symlink(target, join(path, name));
    },
    // The user of an agent may own it by now: it can put a link in place of a folder, and new files there, while it is deleted.
    [Symbol.asyncDispose]: () => removeBeneath(dirname(path), basename(path)).catch(() => undefined),
  };
}

const yes = (): boolean => true;
const no = (): boolean => false;

function onlyMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
  return undefined;
}

async function copyHashed(from: string, to: string): Promise<number> {
  const entries = await readdir(from, { withFileTypes: true, recursive: true }).catch(onlyMissing);
  let copied = 0;
  for (const entry of entries ?? []) {
    if (!entry.isFile() || !/^[0-9a-f]{64}$/.test(entry.name)) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, source));
    if (await access(target).then(yes, no)) continue;
    await mkdir(dirname(target), { recursive: true });
    const draft = `${target}.llmc-${process.pid}`;
    await copyFile(source, draft, constants.COPYFILE_FICLONE);
    const isWhole = (await hashFile(draft)) === entry.name;
    await (isWhole ? rename(draft, target) : rm(draft));
    if (isWhole) copied += 1;
  }
  return copied;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
