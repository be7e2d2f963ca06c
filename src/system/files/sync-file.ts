import { constants } from 'node:fs';
import { copyFile, lstat, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { openBeneath } from './beneath.ts';

export type SyncResult = 'copied' | 'unchanged' | 'not-a-file' | 'outside';

/** Makes `to` equal to `from` (content and mode), unless that would write outside `within` or through a link. */
export async function syncFile(from: string, to: string, within: string): Promise<SyncResult> {
  const source = await lstat(from);
  if (!source.isFile()) return 'not-a-file';
  // Written in the opened folder: its path may lead through a link a moment later.
  await using folder = await openBeneath(within, relative(within, dirname(to)), { make: true });
  if (folder === undefined) return 'outside';
  const target = join(folder.here, basename(to));
  const found = await lstat(target).catch(onlyMissing);
  if (found !== undefined && !found.isFile()) return 'not-a-file';
  const sameMode = found !== undefined && (found.mode & 0o777) === (source.mode & 0o777);
  if (sameMode && found.size === source.size && (await sameContent(from, target))) return 'unchanged';
  // Use a rename, so that a reader never gets half of the new file.
  const draft = `${target}.llmc-${process.pid}`;
  try {
    await copyFile(from, draft, constants.COPYFILE_EXCL);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
  return 'copied';
}

async function sameContent(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([readFile(a), readFile(b)]);
  return left.equals(right);
}

function onlyMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
