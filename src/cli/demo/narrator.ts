import pc from 'picocolors';

/** Prints the demo: headings and remarks, the commands, and their output. */
export class Narrator {
  readonly #write: (line: string) => void;
  readonly #paint: ReturnType<typeof pc.createColors>;
  #chapter = 0;

  constructor(write: (line: string) => void, color: boolean) {
    this.#write = write;
    this.#paint = pc.createColors(color);
  }

  chapter(text: string): void {
    this.#chapter += 1;
    this.#write('');
    this.#write(this.#paint.bold(`${this.#chapter}. ${text}`));
  }

  remark(text: string): void {
    this.#write(`   ${text}`);
  }

  command(words: string): void {
    this.#write(`   ${this.#paint.cyan(`$ ${words}`)}`);
  }

  readonly output = (line: string): void => {
    this.#write(`     ${this.#paintDiff(line)}`.trimEnd());
  };

  /** Prints a line of the supervisor, which runs at the same time as the commands. */
  readonly aside = (line: string): void => {
    this.#write(this.#paint.dim(`   ▸ ${line}`));
  };

  #paintDiff(line: string): string {
    if (/^\+(?!\+\+)/.test(line)) return this.#paint.green(line);
    if (/^-(?!--)/.test(line)) return this.#paint.red(line);
    return line;
  }
}
