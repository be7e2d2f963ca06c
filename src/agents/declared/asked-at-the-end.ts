/** `[y/N]`, `(yes/no)`, `(Y)es/(N)o/(A)ll [Yes]:` at the end of a line, with nothing typed behind it yet. */
const YES_OR_NO =
  /[([]\s*y(?:es)?\s*(?:[)\]](?:es)?)?\s*[/|]\s*[([]?no?[)\]]?[^()]{0,80}?(?:\([a-z]\)[^()]{0,40}?){0,4}[)\]:?o]\s*[:?>]?\s*$/i;

/** A question for yes or no in the last line of the screen, as programs have asked it for decades. */
export function askedAtTheEnd(lines: readonly string[]): string | undefined {
  const last = lines.findLast((line) => line !== '')?.trim();
  return last !== undefined && YES_OR_NO.test(last) ? last : undefined;
}
