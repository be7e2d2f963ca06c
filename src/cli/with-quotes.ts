import { LlmcError } from '../base/error.ts';
import { commandLine } from '../base/shell-quote.ts';
import type { Declaration } from './declaration.ts';

/** A text came in several words, because its quotes are missing. The command line adds them in its hint. */
export class UnquotedText extends LlmcError {
  /** The operand that the text begins with. */
  readonly from: number;

  constructor(words: number, from: number) {
    super('INVALID_ARGUMENT', `the text is ${words} words: put it in quotes`);
    this.from = from;
  }
}

/** Where the text of a command begins among its operands; undefined if the command takes no text. */
export function textBegins({ arguments: declared }: Declaration): number | undefined {
  return declared.at(-1)?.isText === true ? declared.length - 1 : undefined;
}

/** The command with quotes around its text, for a user who forgot them. */
export function withQuotes(from: number, argv: readonly string[], operands: readonly string[]): string | undefined {
  const text = operands.slice(from);
  if (text.length < 2) return undefined;
  const words = [...argv];
  // From the end, because the value of an earlier option may be the same word.
  const places = text.toReversed().map((word) => {
    const at = words.lastIndexOf(word);
    if (at !== -1) words.splice(at, 1);
    return at;
  });
  const first = places.at(-1) ?? -1;
  return places.includes(-1) ? undefined : commandLine('llmc', ...words.slice(0, first), text.join(' '), ...words.slice(first));
}
