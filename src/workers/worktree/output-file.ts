import type { Files } from '../../base/ports.ts';

/** Enough for any log that a person reads. A command that never stops printing must not fill the disk. */
const MOST_CHARS = 64 * 1024 * 1024;
const CHUNK_CHARS = 64 * 1024;

/** Keeps the whole output of commands in a file that only this user may read. */
export class OutputFile {
  readonly path: string;
  readonly #files: Pick<Files, 'writePrivate' | 'append'>;
  #pending = '';
  #length = 0;

  constructor(files: Pick<Files, 'writePrivate' | 'append'>, path: string) {
    this.#files = files;
    this.path = path;
    files.writePrivate(path, '');
  }

  add(line: string): void {
    if (this.#length > MOST_CHARS) return;
    this.#length += line.length + 1;
    this.#pending += this.#length > MOST_CHARS ? '… (the rest was cut)\n' : `${line}\n`;
    if (this.#pending.length > CHUNK_CHARS) this.flush();
  }

  flush(): void {
    if (this.#pending !== '') this.#files.append(this.path, this.#pending);
    this.#pending = '';
  }
}
