import { LlmcError } from '../../../base/error.ts';

/** The words of a line as a shell splits them: quotes and backslashes work, nothing else is special. */
export function splitWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (character === "'" || character === '"') {
      const end = closing(line, at);
      const inside = line.slice(at + 1, end);
      word = (word ?? '') + (character === '"' ? inside.replace(/\\(["\\$`])/g, '$1') : inside);
      at = end;
    } else if (character === '\\' && at + 1 < line.length) {
      word = (word ?? '') + (line[at + 1] ?? '');
      at += 1;
    } else if (!/\s/.test(character)) word = (word ?? '') + character;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

function closing(line: string, from: number): number {
  const quote = line[from] ?? '';
  for (let at = from + 1; at < line.length; at += 1) {
    if (line[at] === '\\' && quote === '"') at += 1;
    else if (line[at] === quote) return at;
  }
  throw new LlmcError('INVALID_ARGUMENT', `the quote ${quote} has no end`, { hint: 'Close it, or write a backslash before it.' });
}
