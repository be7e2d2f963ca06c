import { appendFileSync, closeSync, constants, copyFileSync, fstatSync, ftruncateSync, renameSync, statSync, unlinkSync } from 'node:fs';
import type { Files } from '../../base/ports.ts';
import { removeFile } from '../remove-file.ts';
import { openLog } from './append-file.ts';
import { atomicWrite, temporaryFor } from './atomic-write.ts';
import { fileStamp } from './file-stamp.ts';
import { exists, makeDirectory, readTextIfThere, removeTree, writePrivate } from './files.ts';
import { plainSize, readEnd, readForeign } from './foreign-file.ts';
import { readGrowth } from './growing-file.ts';
import { list, names } from './listing.ts';
import { removeSocket } from './socket-file.ts';

export const systemFiles: Files = {
  exists,
  readText: readTextIfThere,
  readForeign,
  readEnd,
  plainSize,
  size: (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  stamp: fileStamp,
  names,
  list,
  readGrowth,
  writePrivate,
  replace: atomicWrite,
  append,
  copy,
  rename: renameSync,
  makeFolder: makeDirectory,
  remove: removeTree,
  unlink,
  removeSocket,
};

function unlink(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // macOS refuses to unlink a folder with EPERM, which can also have another reason.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOENT' && code !== 'EISDIR') throw error;
  }
}

function append(path: string, content: string): void {
  const fd = openLog(path);
  const { size } = fstatSync(fd);
  try {
    appendFileSync(fd, content);
  } catch (error) {
    // A nearly full disk takes the beginning of a line, and the next line would follow it.
    ftruncateSync(fd, size);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Replaces the target, and does not write through a link in its place. */
function copy(from: string, to: string): void {
  const draft = temporaryFor(to);
  removeFile(draft);
  try {
    copyFileSync(from, draft, constants.COPYFILE_EXCL);
    renameSync(draft, to);
  } finally {
    removeFile(draft);
  }
}
