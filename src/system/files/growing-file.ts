import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Growth, ReadSoFar } from '../../base/ports.ts';

/** Reads in portions, so that a transcript of many megabytes does not delay the other workers. */
const PORTION_BYTES = 512 * 1_024;

/** The lines appended since `before`; undefined if there is no such file. */
export function readGrowth(path: string, before: ReadSoFar | undefined, portion = PORTION_BYTES): Growth | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const { ino, size } = fstatSync(file, { bigint: true });
    const fromStart = before === undefined || before.inode !== ino || size < before.offset;
    const offset = fromStart ? 0 : before.offset;
    const same = (text: string, next: number, more: boolean): Growth => ({ text, now: { inode: ino, offset: next }, fromStart, more });
    // Read a line that is longer than a portion as a whole.
    for (let length = portion; ; length *= 2) {
      const left = Number(size) - offset;
      const bytes = Buffer.alloc(Math.min(length, left));
      const read = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset));
      const end = read.lastIndexOf(0x0a) + 1;
      if (end > 0) return same(read.subarray(0, end).toString('utf8'), offset + end, left > length);
      if (left <= length) return same('', offset, false);
    }
  } finally {
    closeSync(file);
  }
}
