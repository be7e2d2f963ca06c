import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Growth, ReadSoFar } from '../../base/ports.ts';

/** In portions, so that a record of many megabytes keeps nobody waiting. */
const PORTION_BYTES = 512 * 1_024;

/** What was appended since; undefined when the file is not there. */
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
    // One line may be longer than a portion: then it is read whole.
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
