import { constants, existsSync, unlinkSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** A folder that stays open: what is done at `here` happens in this folder, also if its path leads elsewhere by now. */
export interface OpenFolder extends AsyncDisposable {
  readonly here: string;
  readonly fd: number;
}

/**
 * Linux resolves `/proc/self/fd/<fd>/<name>` from the open folder. Node has no `openat`, and other systems have no such path:
 * there, each component is checked, and a swap between the check and the act is not noticed.
 */
const HAS_OPEN_PATHS = existsSync('/proc/self/fd');

/**
 * Opens the folder `path` below `base`, one name at a time and never through a link; `base` itself may not be a link either.
 * Undefined if it is missing, if a link or a file is on the way, or if the path leaves `base`.
 */
export async function openBeneath(base: string, path: string, options: { readonly make?: boolean } = {}): Promise<OpenFolder | undefined> {
  const names = parseNames(path);
  if (names === undefined) return undefined;
  let folder = await openFolder(base);
  for (const name of names) {
    if (folder === undefined) return undefined;
    await using outer = folder;
    const inner = join(outer.here, name);
    if (options.make === true) await mkdir(inner).catch(onlyExisting);
    folder = await openFolder(inner);
  }
  return folder;
}

/** Makes the folder `path` below `base`, unless a link or a file is on the way. Returns whether it is there. */
export async function makeBeneath(base: string, path: string): Promise<boolean> {
  await using folder = await openBeneath(base, path, { make: true });
  return folder !== undefined;
}

/**
 * Writes a file below `base` in place of the file or link that is there, and makes its folder. Does nothing if a link is on the way to
 * it, or if a folder has its name.
 */
export async function writeBeneath(base: string, path: string, text: string, mode: 0o644 | 0o755): Promise<void> {
  const names = parseNames(path);
  const name = names?.pop();
  if (names === undefined || name === undefined) throw new Error(`not a path below ${base}: ${path}`);
  await using folder = await openBeneath(base, names.join('/'), { make: true });
  if (folder === undefined) return;
  const [draft, target] = [join(folder.here, `.${name}.${process.pid}`), join(folder.here, name)];
  if ((await lstat(target).catch(onlyElsewhere))?.isDirectory() === true) return;
  await rm(draft, { recursive: true, force: true });
  await writeFile(draft, text, { flag: 'wx', mode });
  await rename(draft, target);
}

/** Deletes a file, a link or a whole folder below `base`, without following a link. Nothing happens if a link is on the way to it. */
export async function removeBeneath(base: string, path: string): Promise<void> {
  const names = parseNames(path);
  const name = names?.pop();
  if (names === undefined || name === undefined) throw new Error(`not a path below ${base}: ${path}`);
  await using folder = await openBeneath(base, names.join('/'));
  if (folder !== undefined) await removeIn(folder.here, Buffer.from(name));
}

/** Deletes everything in a folder below `base`, and keeps the folder. */
export async function emptyBeneath(base: string, path: string): Promise<void> {
  await using folder = await openBeneath(base, path);
  if (folder !== undefined) await emptyFolder(folder);
}

/** The names of a relative path in its normal form; undefined for any other path. */
function parseNames(path: string): string[] | undefined {
  const names = path === '' ? [] : path.split('/');
  return names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0')) ? undefined : names;
}

/** Opens a folder; undefined if there is none, or a link in its place. */
export async function openFolder(path: string | Buffer): Promise<OpenFolder | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(onlyElsewhere);
  return (
    handle && {
      here: HAS_OPEN_PATHS ? `/proc/self/fd/${handle.fd}` : path.toString(),
      fd: handle.fd,
      [Symbol.asyncDispose]: () => close(handle),
    }
  );
}

const close = (handle: FileHandle): Promise<void> => handle.close();

/** This many files in one go: a call through Node's thread pool takes five times as long, and the supervisor must not stand still. */
export const AT_ONCE = 256;

async function emptyFolder(folder: OpenFolder): Promise<void> {
  // As bytes: a name need not be UTF-8.
  const entries = await readdir(folder.here, { encoding: 'buffer', withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  for (let start = 0; start < files.length; start += AT_ONCE) {
    for (const { name } of files.slice(start, start + AT_ONCE)) unlinkNow(within(folder.here, name));
    await setImmediate();
  }
  for (const entry of entries) if (entry.isDirectory()) await removeIn(folder.here, entry.name);
}

function unlinkNow(path: Buffer): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isElsewhere(error)) throw error;
  }
}

export const within = (folder: string, name: Buffer): Buffer => Buffer.concat([Buffer.from(`${folder}/`), name]);

async function removeIn(folder: string, name: Buffer): Promise<void> {
  const path = within(folder, name);
  if ((await lstat(path).catch(onlyElsewhere))?.isDirectory() === true) {
    await using inner = await openFolder(path);
    if (inner !== undefined) {
      await emptyFolder(inner);
      await rmdir(path).catch(onlyElsewhere);
      return;
    }
  }
  unlinkNow(path);
}

/** Missing, a file on the way, or a link (`O_NOFOLLOW`). */
const isElsewhere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(error.code));

function onlyElsewhere(error: unknown): undefined {
  if (!isElsewhere(error)) throw error;
  return undefined;
}

function onlyExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
