import type { Declaration } from './declaration.ts';
import type { Shell } from './shell.ts';
import { withLetter } from './short-options.ts';

/** A command: its declaration, the function that runs it, and how its result is printed. */
export interface Verb<Result = unknown> extends Declaration {
  /** True if only a person may run it; refused inside a worker. */
  readonly decides?: boolean;
  /** The message at Ctrl+C: what was cancelled and what continues. Omitted for commands that leave nothing unfinished. */
  interrupted?(input: Input): string | undefined;
  /** Runs the command. `--json` prints the result, unless `json` converts it first; undefined prints nothing. */
  run(input: Input, shell: Shell): Promise<Result>;
  /** Converts the result to the documented JSON, if it has other key names. */
  json?(result: Result): unknown | Promise<unknown>;
  /** True if the text quotes a diff, a screen or a script: the command line then leaves the commands in it unchanged. */
  readonly verbatim?: boolean;
  /** Renders the result for a person. */
  text?(result: Result, shell: Shell, input: Input): string | Promise<string>;
}

/** A command whose options have their letters: `-w` for every `--worker`. */
export const defineVerb = <Result>(verb: Verb<Result>): Verb<Result> => ({ ...verb, options: verb.options.map(withLetter) });

/** The arguments and options that the user typed. */
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
