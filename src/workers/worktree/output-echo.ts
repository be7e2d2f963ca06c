/** Enough to see that a command begins well. */
const FIRST_LINES = 60;
/** Most tools print what failed at the end. */
const LAST_LINES = 40;
/** A longer line fills the screen, and the file has all of it. */
const LONGEST_LINE = 500;

/**
 * Passes the output of a command on to the person: the first lines at once, the last ones when it has ended, and the path of the whole
 * output between them. A command may print gigabytes, among which the lines of llmc would be lost.
 */
export class OutputEcho {
  readonly #say: (line: string) => void;
  readonly #log: string;
  readonly #last: string[] = [];
  #count = 0;

  constructor(say: (line: string) => void, log: string) {
    this.#say = say;
    this.#log = log;
  }

  add(line: string): void {
    const shown = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}… (${line.length} characters)` : line;
    this.#count += 1;
    if (this.#count <= FIRST_LINES) this.#say(`  ${shown}`);
    if (this.#count === FIRST_LINES + 1) this.#say(`(the rest goes to ${this.#log}; the last lines follow at the end)`);
    this.#last.push(shown);
    if (this.#last.length > LAST_LINES) this.#last.shift();
  }

  /** Says the last lines that were held back, and returns the end of the output. */
  end(): string {
    const held = Math.max(0, this.#count - FIRST_LINES);
    const shown = Math.min(held, LAST_LINES);
    if (held > shown) this.#say(`(${held - shown} lines of output are only in ${this.#log})`);
    for (const line of this.#last.slice(this.#last.length - shown)) this.#say(`  ${line}`);
    return this.#last.join('\n').trimEnd();
  }
}
