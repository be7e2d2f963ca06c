import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

interface Part {
  readonly inode: number;
  /** Whole lines only: the last one may be half written. */
  readonly lines: readonly string[];
  readonly end: number;
}

/** Reads a log line by line as it grows, with what was set aside as `.1`, across the moment when that happens. */
export class LogTail {
  readonly #path: string;
  #place: { readonly inode: number; readonly end: number } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The lines nobody has seen yet. */
  next(): readonly string[] {
    const start = (inode: number) => (this.#place?.inode === inode ? this.#place.end : 0);
    const current = readPart(this.#path, start);
    const seenBefore = this.#place !== undefined && current?.inode === this.#place.inode;
    const aside = seenBefore ? undefined : readPart(`${this.#path}.1`, start);
    if (current !== undefined) this.#place = current;
    else if (aside !== undefined) this.#place = aside;
    // Set aside between the two looks, it would be read twice.
    return [...(aside === undefined || aside.inode === current?.inode ? [] : aside.lines), ...(current?.lines ?? [])];
  }
}

function readPart(path: string, start: (inode: number) => number): Part | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const { ino, size } = fstatSync(file);
    const from = start(ino);
    const bytes = Buffer.alloc(Math.max(0, size - from));
    const read = readSync(file, bytes, 0, bytes.length, from);
    const end = bytes.subarray(0, read).lastIndexOf(0x0a) + 1;
    return { inode: ino, lines: bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1), end: from + end };
  } finally {
    closeSync(file);
  }
}
