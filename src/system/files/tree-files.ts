import { constants } from 'node:fs';
import { access, copyFile, link, lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

export type SyncResult = 'copied' | 'unchanged' | 'not-a-file' | 'outside';

/** The file operations that the git layer does without git. */
export interface TreeFiles {
  exists(path: string): Promise<boolean>;
  /** Undefined when there is no such file. */
  readText(path: string): Promise<string | undefined>;
  /** Overwrites a file and sets its modification time; creates parent directories. */
  copy(from: string, to: string): Promise<void>;
  /** Makes `to` equal to `from` (content and mode), unless that would write outside `within` or through a link. */
  sync(from: string, to: string, within: string): Promise<SyncResult>;
  /** Links (or copies) the files below `from` that are missing below `to`, and returns their number. */
  linkMissing(from: string, to: string): Promise<number>;
  /** The names in a directory; none if it is missing or not a directory. */
  entries(path: string): Promise<readonly string[]>;
  remove(path: string): Promise<void>;
  realPath(path: string): Promise<string>;
}

export const treeFiles: TreeFiles = {
  exists: (path) => access(path).then(yes, no),
  readText: (path) => readFile(path, 'utf8').catch(onlyMissing),
  async copy(from, to) {
    await mkdir(dirname(to), { recursive: true });
    const { atime, mtime } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, mtime);
  },
  sync,
  linkMissing,
  entries: async (path) => (await readdir(path).catch(onlyMissing)) ?? [],
  remove: (path) => rm(path, { recursive: true, force: true }),
  realPath: (path) => realpath(path),
};

const yes = (): boolean => true;
const no = (): boolean => false;

function onlyMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
  return undefined;
}

async function sync(from: string, to: string, within: string): Promise<SyncResult> {
  const source = await lstat(from);
  if (!source.isFile()) return 'not-a-file';
  // Check before creating directories, because mkdir would follow a link out of the tree.
  if (!(await staysInside(dirname(to), within))) return 'outside';
  const target = await lstat(to).catch(onlyMissing);
  if (target !== undefined && !target.isFile()) return 'not-a-file';
  const sameMode = target !== undefined && (target.mode & 0o777) === (source.mode & 0o777);
  if (sameMode && target.size === source.size && (await sameContent(from, to))) return 'unchanged';
  await mkdir(dirname(to), { recursive: true });
  // Use a rename, so that a reader never gets half of the new file.
  const draft = `${to}.llmc-${process.pid}`;
  try {
    await copyFile(from, draft, constants.COPYFILE_EXCL);
    await rename(draft, to);
  } finally {
    await rm(draft, { force: true });
  }
  return 'copied';
}

async function sameContent(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([readFile(a), readFile(b)]);
  return left.equals(right);
}

/** Whether the deepest existing directory of `path` is inside `within`, with links resolved. */
async function staysInside(path: string, within: string): Promise<boolean> {
  let existing = path;
  while ((await lstat(existing).catch(onlyMissing)) === undefined && existing !== dirname(existing)) existing = dirname(existing);
  const [inner, outer] = await Promise.all([realpath(existing).catch(onlyMissing), realpath(within)]);
  if (inner === undefined) return false;
  const way = relative(outer, inner);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

async function linkMissing(from: string, to: string): Promise<number> {
  const entries = await readdir(from, { withFileTypes: true, recursive: true }).catch(onlyMissing);
  let linked = 0;
  for (const entry of entries ?? []) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, source));
    if (await access(target).then(yes, no)) continue;
    await mkdir(dirname(target), { recursive: true });
    await link(source, target).catch(() => copyFile(source, target));
    linked += 1;
  }
  return linked;
}
