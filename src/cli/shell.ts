import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { LlmcError } from '../base/error.ts';
import { type Layout, layoutOf } from '../store/layout.ts';
import type { ArgsOf, OperationName, ResultOf } from '../supervisor/api/operations.ts';
import { askLine } from '../system/lines.ts';
import type { Declaration } from './declaration.ts';

export interface ShellOptions {
  readonly root: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
  readonly yes: boolean;
  readonly patrol: boolean;
  readonly version: string;
  /** Every command there is. */
  readonly declarations: readonly Declaration[];
}

/** The one that is meant when none is named. */
export function usualRoot(): string {
  return resolve(process.env.LLMC_ROOT || join(homedir(), 'llmc'));
}

/** Reaches the root's owner: the supervisor, or this process itself. */
export type CallOwner = <Name extends OperationName>(shell: Shell, name: Name, args: ArgsOf<Name>) => Promise<ResultOf<Name>>;

/** The person's side of a command: where its root is, how it talks back, and the way to the root's owner. */
export class Shell {
  readonly options: ShellOptions;
  readonly #callOwner: CallOwner;

  constructor(options: ShellOptions, callOwner: CallOwner) {
    this.options = options;
    this.#callOwner = callOwner;
  }

  get root(): string {
    return this.options.root ? resolve(this.options.root) : usualRoot();
  }

  get layout(): Layout {
    return layoutOf(this.root);
  }

  get isInteractive(): boolean {
    return process.stdin.isTTY === true && process.stdout.isTTY === true && !this.options.json;
  }

  /** What stdout is read on. Without a terminal lines may be as long as they are. */
  get paper(): { readonly color: boolean; readonly columns: number } {
    return { color: this.options.color, columns: process.stdout.isTTY === true ? process.stdout.columns : Number.POSITIVE_INFINITY };
  }

  /** Progress, for the eye: never on stdout. */
  readonly say = (line: string): void => {
    if (!this.options.quiet) process.stderr.write(`${line}\n`);
  };

  out(text: string): void {
    process.stdout.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
  }

  /** Without a terminal nothing ever asks. */
  async confirm(question: string): Promise<void> {
    if (this.options.yes || !this.isInteractive) return;
    const answer = await askLine(`${question} [y/N] `);
    // Ctrl+C has left the cursor after the question.
    if (answer === '') process.stderr.write('\n');
    if (!/^y(es)?$/i.test(answer.trim())) throw new LlmcError('CANCELLED', 'nothing was changed');
  }

  async call<Name extends OperationName>(name: Name, args: ArgsOf<Name>): Promise<ResultOf<Name>> {
    return await this.#callOwner(this, name, args);
  }
}
