import type { ReadSoFar } from '../../base/ports.ts';
import { readGrowth } from '../../system/files/growing-file.ts';

/** A log is rotated at 5 MB, so it can be read in one call. */
const WHOLE = Number.POSITIVE_INFINITY;

/** Reads the new lines of a growing log and of its rotated file `.1`, without losing lines when the log is rotated. */
export class LogTail {
  readonly #path: string;
  #place: ReadSoFar | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The complete lines that were not returned yet. */
  next(): readonly string[] {
    const before = this.#place;
    const current = readGrowth(this.#path, before, WHOLE);
    const isSameFile = before !== undefined && current?.now.inode === before.inode;
    const rotated = isSameFile ? undefined : readGrowth(`${this.#path}.1`, before, WHOLE);
    this.#place = (current ?? rotated)?.now ?? before;
    // A log that was rotated between the two reads would be read twice.
    const older = rotated?.now.inode === current?.now.inode ? undefined : rotated;
    return [older, current].flatMap((part) => part?.text.split('\n').slice(0, -1) ?? []);
  }
}
