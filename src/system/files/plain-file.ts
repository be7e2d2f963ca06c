import { constants, type Stats } from 'node:fs';
import { lstat, open, opendir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openBeneath } from './beneath.ts';

export type PlainKind = 'folder' | 'file' | 'link' | 'other' | 'missing';

/** What is at `path` below `base`; "missing" also if a link is on the way to it, or if the path leaves `base`. */
export async function kindBeneath(base: string, path: string): Promise<PlainKind> {
  const found = await statBeneath(base, path);
  if (found === undefined) return 'missing';
  return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : found.isSymbolicLink() ? 'link' : 'other';
}

/** The bytes of the plain file at `path` below `base`; undefined for anything else. */
export async function sizeBeneath(base: string, path: string): Promise<number | undefined> {
  const found = await statBeneath(base, path);
  return found?.isFile() === true ? found.size : undefined;
}

async function statBeneath(base: string, path: string): Promise<Stats | undefined> {
  const above = dirname(path);
  await using folder = await openBeneath(base, above === '.' ? '' : above);
  if (folder === undefined || ['', '.', '..'].includes(basename(path))) return undefined;
  return await lstat(join(folder.here, basename(path))).catch(onlyMissing);
}

/** The content of a regular file of at most `limit` bytes; undefined for anything else, such as a link or a pipe. */
export async function readPlain(path: string, limit: number): Promise<string | undefined> {
  // Without O_NONBLOCK, opening a pipe waits for its writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(onlyMissing);
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size > limit) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size), 0, found.size, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The same for `path` below `base`; undefined also if a link is on the way to it, or if the path leaves `base`. */
export async function readBeneath(base: string, path: string, limit: number): Promise<string | undefined> {
  const above = dirname(path);
  await using folder = await openBeneath(base, above === '.' ? '' : above);
  if (folder === undefined || ['', '.', '..'].includes(basename(path))) return undefined;
  // The folder must stay open until the file is.
  return await readPlain(join(folder.here, basename(path)), limit);
}

export interface WalkLimits {
  /** Entries that are looked at, whatever they are. */
  readonly most: number;
  /** 1: only the folder itself. */
  readonly depth: number;
}

/**
 * The plain files in the folder `path` below `base` and in its folders, by their paths relative to it, in the order of their names.
 * Follows no link. An agent may have made millions of entries, so their number has a bound.
 */
export async function filesBeneath(base: string, path: string, { most, depth }: WalkLimits): Promise<readonly string[]> {
  const found: string[] = [];
  let left = most;
  const walk = async (below: string, levels: number): Promise<void> => {
    await using folder = await openBeneath(base, below === '' ? path : `${path}/${below}`);
    if (folder === undefined) return;
    const inner: string[] = [];
    for await (const entry of await opendir(folder.here)) {
      if (left <= 0) break;
      left -= 1;
      const at = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile()) found.push(at);
      else if (entry.isDirectory() && levels > 1) inner.push(at);
    }
    for (const each of inner.toSorted()) await walk(each, levels - 1);
  };
  await walk('', depth);
  return found.toSorted();
}

/** The first entry below a folder that is neither a file nor a folder. */
export async function firstOdd(folder: string): Promise<string | undefined> {
  const odd = (await readdir(folder, { withFileTypes: true, recursive: true })).find((entry) => !entry.isFile() && !entry.isDirectory());
  return odd && join(odd.parentPath, odd.name);
}

/** ENXIO: a socket. */
function onlyMissing(error: NodeJS.ErrnoException): undefined {
  if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(error.code ?? '')) throw error;
  return undefined;
}
