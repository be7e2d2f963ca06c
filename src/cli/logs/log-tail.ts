import type { ReadSoFar } from '../../base/ports.ts';
import { readGrowth } from '../../system/files/growing-file.ts';

/** A log is set aside at 5 MB, so it is read in one go. */
const WHOLE = Number.POSITIVE_INFINITY;

/** Reads a log line by line as it grows, with what was set aside as `.1`, across the moment when that happens. */
export class LogTail {
  readonly #path: string;
  #place: ReadSoFar | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The whole lines that were not returned yet. */
  next(): readonly string[] {
    const before = this.#place;
    const current = readGrowth(this.#path, before, WHOLE);
    const isSameFile = before !== undefined && current?.now.inode === before.inode;
    const aside = isSameFile ? undefined : readGrowth(`${this.#path}.1`, before, WHOLE);
    this.#place = (current ?? aside)?.now ?? before;
    // A log that was set aside between the two readings would be read twice.
    const older = aside?.now.inode === current?.now.inode ? undefined : aside;
    return [older, current].flatMap((part) => part?.text.split('\n').slice(0, -1) ?? []);
  }
}
