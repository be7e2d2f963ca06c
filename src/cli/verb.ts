import type { Declaration } from './declaration.ts';
import type { Shell } from './shell.ts';

/** One command of the command line: a declaration, one call, and how its result reads. The reference page is made from it. */
export interface Verb<Result = unknown> extends Declaration {
  /** A decision only a person may take; refused inside a worker. */
  readonly decides?: boolean;
  /** What Ctrl+C cancelled and what goes on all the same. Left out where nothing is under way that a person could take for lost. */
  interrupted?(input: Input): string | undefined;
  /** What `--json` prints, unless `json` says otherwise; undefined prints nothing. */
  run(input: Input, shell: Shell): Promise<Result>;
  /** The result in the words of the contract, where the code has words of its own. */
  json?(result: Result): unknown | Promise<unknown>;
  /** The same result for a person. */
  text?(result: Result, shell: Shell, input: Input): string | Promise<string>;
}

export const defineVerb = <Result>(verb: Verb<Result>): Verb<Result> => verb;

/** What the user typed, as the verb declared it. */
export class Input {
  readonly args: readonly string[];
  readonly #options: Readonly<Record<string, unknown>>;

  constructor(args: readonly string[], options: Readonly<Record<string, unknown>>) {
    this.args = args;
    this.#options = options;
  }

  text(name: string): string | undefined {
    const value = this.#options[name];
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#options[name] === true;
  }

  list(name: string): readonly string[] {
    const value = this.#options[name];
    return Array.isArray(value) ? value.map(String) : [];
  }
}
