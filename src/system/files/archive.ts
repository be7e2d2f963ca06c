import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { removeFile } from '../remove-file.ts';

/** A file of an archive. The name is llmc's own: short, relative, ASCII. */
export interface ArchiveFile {
  readonly name: string;
  readonly text: string;
}

const BLOCK = 512;
const LONGEST_NAME = 100;

/** A tar archive (POSIX ustar) in gzip. Only plain files, readable by their owner alone. */
export function tarGz(files: readonly ArchiveFile[], atMs: number): Buffer {
  const parts = files.flatMap(({ name, text }) => {
    const content = Buffer.from(text);
    return [header(name, content.length, Math.floor(atMs / 1_000)), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}

function header(name: string, size: number, mtime: number): Buffer {
  if (!/^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/.test(name) || name.length > LONGEST_NAME)
    throw new Error(`not a name for an archive: ${JSON.stringify(name)}`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, width: number) => block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1');
  block.write(name, 0, 'latin1');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(mtime, 136, 12);
  // The sum counts its own field as blanks.
  block.write('        0', 148, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** Writes a new private file and returns true; false if the name is taken, also by a link. A file that was not written whole is removed. */
export function writeNewPrivate(path: string, bytes: Buffer): boolean {
  let fd: number;
  try {
    fd = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(fd, bytes);
    fsyncSync(fd);
  } catch (error) {
    removeFile(path);
    throw error;
  } finally {
    closeSync(fd);
  }
  return true;
}
