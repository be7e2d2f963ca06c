import { CONFUSABLES } from './confusables.ts';
import { toNotation } from './visible-text.ts';

/** Scripts of today's languages (UAX 31, table 5). No text mixes a letter of another script with Latin ones inside one word. */
const LIVING = [
  'Arab',
  'Armn',
  'Beng',
  'Bopo',
  'Cyrl',
  'Deva',
  'Ethi',
  'Geor',
  'Grek',
  'Gujr',
  'Guru',
  'Hang',
  'Hani',
  'Hebr',
  'Hira',
  'Kana',
  'Knda',
  'Khmr',
  'Laoo',
  'Latn',
  'Mlym',
  'Mymr',
  'Orya',
  'Sinh',
  'Taml',
  'Telu',
  'Thaa',
  'Thai',
  'Tibt',
  'Zyyy',
  'Zinh',
].map((script) => `\\p{scx=${script}}`);
/** Alphabets of which a whole word can pass for a Latin one. */
const LIKE_LATIN = ['Cyrl', 'Grek', 'Armn', 'Copt', 'Cher', 'Lisu'].map((script) => `\\p{Script=${script}}`).join('');
/** Notation in formulas and phonetics: counts only inside a longer Latin word. The Greek omicron and the lunate letters are not notation. */
const NOTATION = String.raw`[[\p{Script=Greek}&&\p{Ll}]--[οϲϳ]]|[\u0250-\u02af\u1d00-\u1dbf\ua720-\ua7ff\uab30-\uab6f]`;
/** Letters that Python reads as the plain ones (NFKC): long s, letter-like symbols, Roman numerals, circled, full-width, mathematical. */
const STYLED = String.raw`ſ\u2100-\u214f\u2160-\u217f\u24b6-\u24e9\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}`;
const WORD = /[\p{L}\p{M}\p{N}\u24b6-\u24e9_$]+/gu;
/** ASCII, accents, umlauts and typographic signs: none of them poses. */
const PLAIN = /^[\n\t\x20-\x7e\u00a0-\u017e·–—‘’“”„…→↳⏎✓]*$/;
const LATIN = /[A-Za-z]/;

/** What decides about one character. */
interface Facts {
  /** The ASCII letters or digits that it poses as. */
  readonly poses: boolean;
  readonly isLetter: boolean;
  readonly isNumber: boolean;
  readonly isLatin: boolean;
  readonly isLikeLatin: boolean;
  readonly isNotation: boolean;
  readonly isStyled: boolean;
  readonly isNeverMixed: boolean;
}

interface Tables {
  /** What a character looks like, by the character. */
  readonly prototypes: ReadonlyMap<string, string>;
  /** Those that a text had; a text has few different ones. */
  readonly known: Map<string, Facts>;
  readonly isLikeLatin: RegExp;
  readonly isNotation: RegExp;
  readonly isStyled: RegExp;
  readonly isNeverMixed: RegExp;
}
let made: Tables | undefined;

/** The table and the patterns, made for the first text that needs them. */
function tables(): Tables {
  made ??= {
    prototypes: decoded(),
    known: new Map(),
    isLikeLatin: new RegExp(`[${LIKE_LATIN}]`, 'v'),
    isNotation: new RegExp(NOTATION, 'v'),
    isStyled: new RegExp(`[${STYLED}]`, 'v'),
    isNeverMixed: new RegExp(`[\\p{L}--[${LIVING.join('')}]]`, 'v'),
  };
  return made;
}

function collectFacts(letter: string): Facts {
  const { prototypes, known, isLikeLatin, isNotation, isStyled, isNeverMixed } = tables();
  const before = known.get(letter);
  if (before !== undefined) return before;
  const looks = prototypes.get(letter) ?? letter.normalize('NFKC');
  const facts = {
    poses: looks !== letter && letter > '\x7f' && /^[A-Za-z0-9]{1,3}$/.test(looks),
    isLetter: /\p{L}/u.test(letter),
    isNumber: /\p{N}/u.test(letter),
    isLatin: /\p{Script=Latin}/u.test(letter),
    isLikeLatin: isLikeLatin.test(letter),
    isNotation: isNotation.test(letter),
    isStyled: isStyled.test(letter),
    isNeverMixed: isNeverMixed.test(letter),
  };
  known.set(letter, facts);
  return facts;
}

function decoded(): ReadonlyMap<string, string> {
  const fields = CONFUSABLES.split(' ');
  const prototypes = new Map<string, string>();
  for (let at = 0, code = 0; at < fields.length; at += 2) {
    code += Number.parseInt(fields[at] ?? '', 36);
    const to = fields[at + 1] ?? '';
    const plain = to.startsWith('=') ? to.slice(1) : String.fromCodePoint(...to.split('.').map((each) => Number.parseInt(each, 36)));
    prototypes.set(String.fromCodePoint(code), plain);
  }
  return prototypes;
}

/**
 * What a text looks like: two texts with one skeleton can be mistaken for each other (UTS 39). Only for comparing: the skeleton of `m` is
 * `rn`. Compatibility forms and characters without a glyph are folded as well.
 */
export function toSkeleton(text: string): string {
  const { prototypes } = tables();
  const plain = text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return [...plain.normalize('NFD')]
    .map((letter) => prototypes.get(letter) ?? letter)
    .join('')
    .normalize('NFD');
}

/**
 * Replaces each character that poses as an ASCII one by its code: a Cyrillic letter in a Latin word, a Greek question mark in code.
 * A line in Russian or Greek stays as it is, and so does a word with a letter that cannot be mistaken.
 */
export function markLookAlikes(line: string, mark: (character: string) => string = toNotation): string {
  if (PLAIN.test(line)) return line;
  const isForeign = hasUnmistakable(line);
  return markSigns(line, mark).replace(WORD, (word) => markWord(word, isForeign, mark));
}

/** The words of a line that contain a character which poses as another one. */
export function lookAlikesIn(line: string): readonly string[] {
  if (PLAIN.test(line)) return [];
  const isForeign = hasUnmistakable(line);
  const words = (line.match(WORD) ?? []).filter((word) => markWord(word, isForeign, () => '') !== word);
  const signs: string[] = [];
  markSigns(line, (sign) => {
    signs.push(sign);
    return sign;
  });
  return [...words, ...signs];
}

/** True if a text has a letter of an alphabet like the Latin one that is not mistaken for a Latin letter. */
function hasUnmistakable(text: string): boolean {
  if (!tables().isLikeLatin.test(text)) return false;
  for (const letter of text) {
    if (letter <= '\x7f') continue;
    const { isLikeLatin, isLetter, poses } = collectFacts(letter);
    if (isLikeLatin && isLetter && !poses) return true;
  }
  return false;
}

const GREEK_QUESTION_MARK = '\u037e';
/** A letter of southern Africa that looks like an exclamation mark, and letters of Lisu that look like dots and colons: `environmentǃ=`. */
const CLICKS = /(?<=[\w)\]])[ǃ\ua4f8-\ua4fd]/gu;
/** Slashes of formulas inside an address or a path. */
const SLASHES = /(?<=[A-Za-z:.\u2044\u2215\u29f8\u2571])[\u2044\u2215\u29f8\u2571](?=[A-Za-z.\u2044\u2215\u29f8\u2571])/gu;
const FULL_WIDTH = /(?<=[\w)\]} \uff01-\uff5e])[\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e]/gu;
const EAST_ASIAN = /[\p{Script=Hani}\p{Script=Hira}\p{Script=Kana}\p{Script=Hang}\p{Script=Bopo}]/u;

/** Marks signs of other scripts in the place of ASCII punctuation, unless the line has letters of such a script. */
function markSigns(line: string, mark: (character: string) => string): string {
  const marked = line.replace(CLICKS, mark).replace(SLASHES, mark);
  const isGreek = marked.includes(GREEK_QUESTION_MARK) && /\p{Script=Greek}/u.test(marked);
  const asked = isGreek ? marked : marked.replaceAll(GREEK_QUESTION_MARK, mark);
  return EAST_ASIAN.test(asked) ? asked : asked.replace(FULL_WIDTH, mark);
}

function markWord(word: string, isForeign: boolean, mark: (character: string) => string): string {
  if (PLAIN.test(word)) return word;
  const letters = [...word];
  if (!LATIN.test(word)) {
    const facts = letters.map(collectFacts).filter(({ isLetter }) => isLetter);
    const isOnlyPosing = facts.length > 0 && facts.every(({ isLikeLatin, poses, isNotation }) => isLikeLatin && poses && !isNotation);
    const isMathematical = /^[\u{1d400}-\u{1d7ff}]{2,}$/u.test(word);
    return (isOnlyPosing && !isForeign) || isMathematical ? word.replace(/[\p{L}\p{N}]/gu, mark) : word;
  }
  const isMixed = letters.map(collectFacts).some((one) => one.isLetter && !one.isLatin && !one.isNeverMixed && !one.poses);
  // `ν_max` has two parts, and `dρ` is a formula.
  return word
    .split('_')
    .map((part) => {
      const isLong = (part.match(/[A-Za-z]/g)?.length ?? 0) > 2;
      return [...part].map((letter) => (isMarked(collectFacts(letter), isLong, isMixed) ? mark(letter) : letter)).join('');
    })
    .join('_');
}

/** Decides about a letter in a Latin word. Other Latin letters, such as the dotless i, are spelling. */
function isMarked(letter: Facts, isLong: boolean, isMixed: boolean): boolean {
  if (letter.isNeverMixed) return true;
  if (letter.isStyled || !letter.poses) return letter.isStyled && letter.poses;
  if (letter.isNotation) return isLong && !isMixed;
  return letter.isLetter && !letter.isLatin && !isMixed;
}
