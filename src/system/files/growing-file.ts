import type { Growth, ReadSoFar } from '../../base/ports.ts';
import { openPlain, readAt } from './foreign-file.ts';

/** Reads in portions, so that a transcript of many megabytes does not delay the other workers. */
const PORTION_BYTES = 512 * 1_024;
/** A line beyond this is dropped. Agents write pictures into a line, of a few megabytes. */
const LONGEST_LINE_BYTES = 64 * 1_024 * 1_024;
/** A larger file is not read at all: a file with a hole can claim any size. */
const LARGEST_FILE_BYTES = 2 * 1_024 ** 3;

/** The lines appended since `before`; undefined if there is no such plain file, or a far too large one. */
export function readGrowth(path: string, before: ReadSoFar | undefined, portion = PORTION_BYTES): Growth | undefined {
  using file = openPlain(path);
  if (file === undefined || file.found.size > LARGEST_FILE_BYTES) return undefined;
  const { ino, size } = file.found;
  const fromStart = before === undefined || before.inode !== ino || size < before.offset;
  const offset = fromStart ? 0 : before.offset;
  const same = (text: string, next: number, more: boolean): Growth => ({ text, now: { inode: ino, offset: next }, fromStart, more });
  // Read a line that is longer than a portion as a whole.
  for (let length = portion; ; length *= 2) {
    const left = Number(size) - offset;
    const read = readAt(file.fd, offset, Math.min(length, left));
    if (read === undefined) return undefined;
    const end = read.lastIndexOf(0x0a) + 1;
    if (end > 0) return same(read.subarray(0, end).toString('utf8'), offset + end, left > length);
    if (left > length && length >= LONGEST_LINE_BYTES) return same('', offset + length, true);
    if (left <= length) return same('', offset, false);
  }
}
