import { codeOf } from './visible-text.ts';

/** Letters that most fonts draw like a Latin one, from the confusables of Unicode (UTS 39). */
const CYRILLIC = 'аАВсСԁеЕһНіІјЈКМоОрРԛԚѕЅТѵѴԝԜхХуУүҮӏӀ';
const ARMENIAN = 'զհոսցօՍՕ';
/** The small letters are notation in formulas, so they count only inside a longer Latin word. */
const GREEK = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳοϲ';
const GREEK_SMALL = 'αικνρυ';
const IPA = 'ɑɡ';

const FOREIGN = new RegExp(`[${CYRILLIC}${ARMENIAN}${GREEK}]`, 'u');
const ONLY_IN_WORDS = new RegExp(`[${GREEK_SMALL}${IPA}]`, 'u');
/** Scripts that no text mixes with Latin letters inside one word. */
const NEVER_MIXED = /[\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u;
const MISTAKEN_SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;
const MATHEMATICAL = /[\u{1d400}-\u{1d7cb}]/u;

const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;
const PLAIN = /^[\x00-\x7f]*$/;

/**
 * Replaces each character that poses as an ASCII one by its code: a Cyrillic letter in a Latin word, a Greek question mark in code.
 * A line in Russian or Greek stays as it is, and so does a word with a letter that cannot be mistaken.
 */
export function markLookAlikes(line: string, mark: (character: string) => string = codeOf): string {
  if (PLAIN.test(line)) return line;
  const mistaken = [...line].filter((letter) => MISTAKEN_SCRIPTS.test(letter));
  const isForeign = mistaken.some((letter) => !FOREIGN.test(letter) && !ONLY_IN_WORDS.test(letter));
  const words = line.replace(WORD, (word) => markWord(word, isForeign, mark));
  return mistaken.length === 0 ? words.replaceAll('\u037e', mark) : words;
}

/** The words of a line that contain a character which poses as another one. */
export function lookAlikesIn(line: string): readonly string[] {
  if (PLAIN.test(line)) return [];
  const marked: string[] = [];
  markLookAlikes(line, (character) => {
    marked.push(character);
    return character;
  });
  return marked.length === 0
    ? []
    : [...line.matchAll(WORD)].map(([word]) => word).filter((word) => marked.some((each) => word.includes(each)));
}

function markWord(word: string, isForeign: boolean, mark: (character: string) => string): string {
  if (PLAIN.test(word)) return word;
  const letters = [...word].filter((letter) => /\p{L}/u.test(letter));
  const latin = letters.filter((letter) => /[A-Za-z]/.test(letter)).length;
  const foreign = letters.filter((letter) => MISTAKEN_SCRIPTS.test(letter));
  const allPose = foreign.every((letter) => FOREIGN.test(letter) || ONLY_IN_WORDS.test(letter));
  const inLatin = latin > 0 && allPose;
  const alone = latin === 0 && !isForeign && foreign.length === letters.length && foreign.every((letter) => FOREIGN.test(letter));
  const styled = letters.length > 1 && letters.every((letter) => MATHEMATICAL.test(letter));
  return [...word].map((letter, index, all) => (poses(letter, all[index - 1]) ? mark(letter) : letter)).join('');

  function poses(letter: string, before: string | undefined): boolean {
    if (FOREIGN.test(letter)) return inLatin || alone;
    if (ONLY_IN_WORDS.test(letter)) return inLatin && latinAround(word, letter) > 2;
    if (NEVER_MIXED.test(letter)) return latin > 0;
    // A letter of southern Africa that looks like an exclamation mark: `environmentǃ=`.
    if (letter === 'ǃ') return before !== undefined && /\w/.test(before);
    return (latin > 0 || styled) && isStyledLatin(letter);
  }
}

/** How many Latin letters the part of a name has: `ν_max` has two parts. */
function latinAround(word: string, letter: string): number {
  const part = word.split('_').find((each) => each.includes(letter)) ?? '';
  return part.match(/[A-Za-z]/g)?.length ?? 0;
}

/** Python reads these as the plain letters (NFKC). Raised letters such as `xⁿ` and `nº` are ordinary text. */
function isStyledLatin(letter: string): boolean {
  return /[^\x00-\x7f\p{Lm}ªº]/u.test(letter) && /^[A-Za-z]$/.test(letter.normalize('NFKC'));
}
