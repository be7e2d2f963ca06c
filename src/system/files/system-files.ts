import { appendFileSync, copyFileSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FileEntry, Files } from '../../base/ports.ts';
import { atomicWrite } from './atomic-write.ts';
import { fileStamp } from './file-stamp.ts';
import { exists, makeDirectory, readTextIfThere, removeTree, writePrivate } from './files.ts';
import { readGrowth } from './growing-file.ts';
import { removeSocket } from './socket-file.ts';

export const systemFiles: Files = {
  exists,
  readText: readTextIfThere,
  size: (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  stamp: fileStamp,
  names,
  list,
  readGrowth,
  writePrivate,
  replace: atomicWrite,
  append: (path, content) => appendFileSync(path, content, { mode: 0o600 }),
  copy: copyFileSync,
  rename: renameSync,
  makeFolder: makeDirectory,
  remove: removeTree,
  removeSocket,
};

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function list(folder: string): readonly FileEntry[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? entryOf(folder, entry.name) : []));
  } catch {
    return [];
  }
}

/** Nothing for a file that was removed since the folder was read. */
function entryOf(folder: string, name: string): readonly FileEntry[] {
  const found = statSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
  return found === undefined ? [] : [{ name, size: Number(found.size), mtimeNs: found.mtimeNs }];
}
