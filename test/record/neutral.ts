/** Puts a word of the same length in place of each, so that no column moves: fixtures carry no names of a machine or a run. */
export function neutralise(line: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce(
    (text, [word, filler]) => text.replaceAll(word, filler.repeat(Math.ceil(word.length / filler.length)).slice(0, word.length)),
    line,
  );
}
