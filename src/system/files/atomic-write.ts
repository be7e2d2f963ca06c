import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { removeFile } from '../remove-file.ts';

export interface WriteOptions {
  readonly mode?: number;
  /** Who may read and write the file stays as it is. */
  readonly keepMode?: boolean;
  readonly beforeRename?: () => void;
}

/**
 * Replaces a file so that a reader, also after a power loss, gets the old content
 * or the new content, never a mixture: temporary file, fsync, rename, fsync of
 * the directory. Synchronous, so that no other code of this process runs between
 * the decision and the write.
 */
export function atomicWrite(path: string, content: string, options: WriteOptions = {}): void {
  const temporary = temporaryFor(path);
  // Never through a link that an agent put there: remove what is there, then insist on a new file.
  removeFile(temporary);
  const fd = openSync(temporary, 'wx', options.mode ?? 0o600);
  try {
    try {
      writeAll(fd, Buffer.from(content));
      // `openSync` takes away what the umask forbids.
      if (options.keepMode === true) fchmodSync(fd, statSync(path).mode & 0o777);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    options.beforeRename?.();
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Beside `path`, under a name that `sweepTemporaries` finds after a crash. */
export function temporaryFor(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}

function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

// writeSync may write less than asked for, for example on a nearly full disk.
function writeAll(fd: number, bytes: Buffer): void {
  let offset = 0;
  while (offset < bytes.length) offset += writeSync(fd, bytes, offset);
}
