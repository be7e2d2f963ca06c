import { commandLine } from '../base/shell-quote.ts';
import type { Declaration } from './declaration.ts';

/** The command with quotes around its text, for a user who forgot them; undefined if the command takes no text. */
export function withQuotes({ arguments: declared }: Declaration, argv: readonly string[], operands: readonly string[]): string | undefined {
  const text = operands.slice(declared.length - 1);
  if (declared.at(-1)?.isText !== true || text.length < 2) return undefined;
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
