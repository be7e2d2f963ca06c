import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { LlmcError } from '../../base/error.ts';
import type { FileEnd } from '../../base/ports.ts';
import { commandLine } from '../../base/shell-quote.ts';

/** Larger than any file that llmc keeps as one document. */
const LARGEST_TEXT = 64 * 1024 * 1024;

export interface PlainFile extends Disposable {
  readonly fd: number;
  readonly found: BigIntStats;
}

/**
 * Opens a plain file that an agent may have replaced; undefined for anything else. `open` waits for the writer of a FIFO and would
 * stop the whole process, so it asks not to wait. A link is not followed: it could lead to a file that only llmc may read.
 */
export function openPlain(path: string, options: { readonly follow?: boolean } = {}): PlainFile | undefined {
  const [look, follow] = options.follow === true ? [statSync, 0] : [lstatSync, constants.O_NOFOLLOW];
  let fd: number;
  try {
    // Opening a device can already have an effect, so look first.
    if (look(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | follow);
  } catch {
    return undefined;
  }
  const found = fstatSync(fd, { bigint: true });
  const file = { fd, found, [Symbol.dispose]: () => closeSync(fd) };
  if (found.isFile()) return file;
  file[Symbol.dispose]();
  return undefined;
}

/** The text of a plain file that an agent wrote; undefined if it is larger, is not a plain file or cannot be read. */
export function readForeign(path: string, mostBytes: number): string | undefined {
  using file = openPlain(path);
  if (file === undefined || file.found.size > mostBytes) return undefined;
  return readAt(file.fd, 0, Number(file.found.size))?.toString('utf8');
}

/** The last whole lines of a plain file that an agent writes, at most this many bytes of them, and none that began before `from`; undefined as for `readForeign`. */
export function readEnd(path: string, mostBytes: number, from = 0): FileEnd | undefined {
  using file = openPlain(path);
  if (file === undefined) return undefined;
  const size = Number(file.found.size);
  const first = Math.min(size, Math.max(0, from, size - mostBytes));
  // With the byte before it: a line begins after a line break.
  const start = Math.max(0, first - 1);
  const bytes = readAt(file.fd, start, size - start);
  if (bytes === undefined) return undefined;
  const skipped = first === 0 ? 0 : bytes.indexOf(0x0a) + 1;
  if (first > 0 && skipped === 0) return { text: '', start: size, size };
  return { text: bytes.subarray(skipped).toString('utf8'), start: start + skipped, size };
}

/** The size of a plain file. `absent` only if the system says so; `unknown` for anything else. */
export function plainSize(path: string): number | 'absent' | 'unknown' {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'absent';
    return found.isFile() ? found.size : 'unknown';
  } catch (error) {
    // A file in place of a folder on the way: nothing can be below it.
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? 'absent' : 'unknown';
  }
}

/** Fewer bytes than asked for if the file has become shorter; undefined if it cannot be read. */
export function readAt(fd: number, offset: number, length: number): Buffer | undefined {
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
  } catch {
    return undefined;
  }
}

/** The text of a file of llmc's own; undefined when it is missing. Throws for anything but a plain file, and for one that is far too large. */
export function readOwnText(path: string): string | undefined {
  const seen = readStat(path);
  if (seen === undefined) return undefined;
  using file = openPlain(path, { follow: true });
  if (file === undefined) {
    // The system's own error says more than a guess: no permission, too many links.
    if (seen.isFile()) return readFileSync(path, 'utf8');
    throw unusable(path, 'is not a plain file');
  }
  if (file.found.size > LARGEST_TEXT) throw unusable(path, `is larger than ${LARGEST_TEXT / 1024 / 1024} MB`);
  return readFileSync(file.fd, 'utf8');
}

/** Undefined when the path, or a folder on the way to it, is missing. */
function readStat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function unusable(path: string, problem: string): LlmcError {
  return new LlmcError('FILESYSTEM_ERROR', `${path} ${problem}`, {
    hint: `Look what it is, and move it away: ${commandLine('ls', '-ld', path)}`,
  });
}
