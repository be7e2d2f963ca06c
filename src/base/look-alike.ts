import { codeOf } from './visible-text.ts';

/** Letters that most fonts draw like a Latin one, from the confusables of Unicode (UTS 39). */
const CYRILLIC = 'аАВсСԁеЕһНіІјЈКМоОрРԛԚѕЅТѵѴԝԜхХуУүҮӏӀ';
const ARMENIAN = 'զհոսցօՍՕ';
const GREEK = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳοϲ';
/** These are notation in formulas and phonetics, so they count only inside a longer Latin word. */
const NOTATION = 'αικνρυɑɡ';
/** Scripts that no text mixes with Latin letters inside one word. */
const NEVER_MIXED = String.raw`\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}`;
/** Letters that Python reads as the plain ones (NFKC): long s, letter-like symbols, Roman numerals, circled, full-width, mathematical. */
const STYLED = String.raw`ſ\u2100-\u214f\u2160-\u217f\u24b6-\u24e9\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7cb}`;

const SUSPECT = new RegExp(`[\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}ɑɡǃ\\u037e${NEVER_MIXED}${STYLED}]`, 'u');
const UNMISTAKABLE = new RegExp(
  `[[\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}]--[${CYRILLIC}${ARMENIAN}${GREEK}${NOTATION}\\u037e]]`,
  'v',
);
const POSING = new RegExp(`[${CYRILLIC}${ARMENIAN}${GREEK}]`, 'gu');
const ONLY_POSING = new RegExp(`^[${CYRILLIC}${ARMENIAN}${GREEK}\\p{M}\\p{N}_$]+$`, 'u');
const IN_LATIN = new RegExp(`[${NEVER_MIXED}${STYLED}]`, 'gu');
const IN_LONG_LATIN = new RegExp(`[${NOTATION}]`, 'gu');
const MATHEMATICAL = /^[\u{1d400}-\u{1d7cb}]{2,}$/u;
const WORD = /[\p{L}\p{M}\p{N}\u24b6-\u24e9_$]+/gu;
const LATIN = /[A-Za-z]/;

/**
 * Replaces each character that poses as an ASCII one by its code: a Cyrillic letter in a Latin word, a Greek question mark in code.
 * A line in Russian or Greek stays as it is, and so does a word with a letter that cannot be mistaken.
 */
export function markLookAlikes(line: string, mark: (character: string) => string = codeOf): string {
  if (!SUSPECT.test(line)) return line;
  const isForeign = UNMISTAKABLE.test(line);
  const words = line.replace(WORD, (word) => markWord(word, isForeign, mark));
  return isForeign ? words : words.replaceAll('\u037e', mark);
}

/** The words of a line that contain a character which poses as another one. */
export function lookAlikesIn(line: string): readonly string[] {
  if (!SUSPECT.test(line)) return [];
  const isForeign = UNMISTAKABLE.test(line);
  return (line.match(WORD) ?? []).filter((word) => markWord(word, isForeign, () => '') !== word);
}

function markWord(word: string, isForeign: boolean, mark: (character: string) => string): string {
  if (!SUSPECT.test(word)) return word;
  if (!LATIN.test(word)) return (!isForeign && ONLY_POSING.test(word)) || MATHEMATICAL.test(word) ? word.replace(/\p{L}/gu, mark) : word;
  // A letter of southern Africa that looks like an exclamation mark: `environmentǃ=`.
  const marked = word.replace(/(?<=\w)ǃ/g, mark).replace(IN_LATIN, (letter) => (isLatinOnPaper(letter) ? mark(letter) : letter));
  if (UNMISTAKABLE.test(word)) return marked;
  // `ν_max` has two parts, and `dρ` is a formula.
  const isLong = (part: string) => (part.match(/[A-Za-z]/g)?.length ?? 0) > 2;
  return marked
    .split('_')
    .map((part) => (isLong(part) ? part.replace(IN_LONG_LATIN, mark) : part))
    .join('_')
    .replace(POSING, mark);
}

/** Leaves out `ℵ` and numbers such as Roman twelve, which stand for no single Latin letter. */
function isLatinOnPaper(letter: string): boolean {
  const plain = letter.normalize('NFKC');
  return plain === letter || /^[A-Za-z]$/.test(plain);
}
