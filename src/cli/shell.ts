import { resolve } from 'node:path';
import { LlmcError } from '../base/error.ts';
import { jsonText, visibleText } from '../base/visible-text.ts';
import { type Layout, makeLayout } from '../store/layout.ts';
import type { ArgsOf, OperationName, ResultOf } from '../supervisor/api/operations.ts';
import { askLine } from '../system/lines.ts';
import type { Declaration } from './declaration.ts';
import { atRoot } from './hint-with-root.ts';
import { print, printAside } from './output.ts';
import { rootHere } from './roots/root-here.ts';
import { terminalSize } from './terminal-size.ts';

export interface ShellOptions {
  readonly root: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
  readonly yes: boolean;
  /** What `llmc code` printed, for a decision without a terminal. */
  readonly code?: string | undefined;
  readonly patrol: boolean;
  readonly version: string;
  /** All commands. */
  readonly declarations: readonly Declaration[];
}

/** How stdout is displayed. */
export interface Display {
  readonly color: boolean;
  /** Infinity without a terminal, so lines are not wrapped there. */
  readonly columns: number;
  /** Applied before lines are broken, because it makes them longer. */
  readonly atRoot: (text: string) => string;
}

/** The root that a command uses without `--root`. */
export function defaultRoot(): string {
  return rootHere().root;
}

/** Runs an operation in the owner of the root: the supervisor, or this process. */
export type CallOwner = <Name extends OperationName>(shell: Shell, name: Name, args: ArgsOf<Name>) => Promise<ResultOf<Name>>;

/** The environment of a command: its root, its output, and the calls to the owner of the root. */
export class Shell {
  readonly options: ShellOptions;
  readonly #callOwner: CallOwner;

  constructor(options: ShellOptions, callOwner: CallOwner) {
    this.options = options;
    this.#callOwner = callOwner;
  }

  get root(): string {
    return this.options.root ? resolve(this.options.root) : defaultRoot();
  }

  /** Adds `--root` to the commands in a text where the user had to name the root. */
  readonly atRoot = (text: string): string => {
    const { root, declarations } = this.options;
    const names = declarations.map(({ name }) => name);
    return root === undefined || this.root === defaultRoot() ? text : atRoot(text, root, names);
  };

  get layout(): Layout {
    return makeLayout(this.root);
  }

  get isInteractive(): boolean {
    return process.stdin.isTTY === true && process.stdout.isTTY === true && !this.options.json;
  }

  /** The colour and width of stdout, and how a text names the root. Without a terminal, the width is not limited. */
  get display(): Display {
    const columns = process.stdout.isTTY === true ? terminalSize(process.stdout).columns : Number.POSITIVE_INFINITY;
    return { color: this.options.color, columns, atRoot: this.atRoot };
  }

  /** Prints progress on stderr, unless `--quiet` is set. */
  readonly say = (line: string): void => {
    if (!this.options.quiet) printAside(`${this.atRoot(line)}\n`);
  };

  out(text: string): void {
    print(text.endsWith('\n') || text === '' ? text : `${text}\n`);
  }

  /** Prints a value as JSON: on one line, or with an indentation. */
  outJson(value: unknown, indent?: number): void {
    this.out(jsonText(value, indent));
  }

  /** Throws `CANCELLED` if the person does not answer yes: what was not done, and what to type. Does not ask without a terminal. */
  async confirm(question: string, otherwise: { readonly message: string; readonly hint: string }): Promise<void> {
    if (this.options.yes || !this.isInteractive) return;
    const answer = await askLine(`${visibleText(question)} [y/N] `);
    // After Ctrl+C the cursor is still on the line of the question.
    if (answer === '') printAside('\n');
    if (!/^y(es)?$/i.test(answer.trim())) throw new LlmcError('CANCELLED', otherwise.message, { hint: otherwise.hint });
  }

  async call<Name extends OperationName>(name: Name, args: ArgsOf<Name>): Promise<ResultOf<Name>> {
    return await this.#callOwner(this, name, args);
  }
}
