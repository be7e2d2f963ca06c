import { describeError } from '../../base/error.ts';
import type { Files } from '../../base/ports.ts';

/** Enough for any log that a person reads. A command that never stops printing must not fill the disk. */
const MOST_CHARS = 64 * 1024 * 1024;
const CHUNK_CHARS = 64 * 1024;

/** Keeps the whole output of commands in a file that only this user may read. Never throws: on a full disk, the commands still count. */
export class CommandOutputFile {
  readonly #path: string;
  readonly #files: Pick<Files, 'writePrivate' | 'append'>;
  readonly #say: (line: string) => void;
  #pending = '';
  #length = 0;
  #isBroken = false;

  constructor(files: Pick<Files, 'writePrivate' | 'append'>, path: string, say: (line: string) => void) {
    this.#files = files;
    this.#path = path;
    this.#say = say;
    this.#try(() => files.writePrivate(path, ''));
  }

  add(line: string): void {
    if (this.#length > MOST_CHARS) return;
    this.#length += line.length + 1;
    this.#pending += this.#length > MOST_CHARS ? '… (the rest was cut)\n' : `${line}\n`;
    if (this.#pending.length > CHUNK_CHARS) this.flush();
  }

  flush(): void {
    const text = this.#pending;
    this.#pending = '';
    if (text !== '') this.#try(() => this.#files.append(this.#path, text));
  }

  #try(write: () => void): void {
    if (this.#isBroken) return;
    try {
      write();
    } catch (error) {
      this.#isBroken = true;
      this.#say(`The output of the commands cannot be written to ${this.#path}: ${describeError(error)}`);
    }
  }
}
