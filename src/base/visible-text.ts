/**
 * What a terminal executes, and what hides or reorders text: control and format characters, line separators and everything that
 * has no glyph. Arabic, Syriac and Kaithi number signs are format characters with a glyph.
 */
const HIDDEN = String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]`;

/** Scripts whose spelling needs the two joiners, such as Persian and Malayalam. */
const JOINED = String.raw`[[\p{scx=Arab}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Khmr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Mong}\p{scx=Mymr}\p{scx=Orya}\p{scx=Sinh}\p{scx=Syrc}\p{scx=Taml}\p{scx=Telu}]&&[\p{L}\p{M}]]`;

const PLAIN = /^[\n\t\x20-\x7e·–—‘’“”…→↳⏎✓]*$/;
let eachHidden: RegExp | undefined;
let eachNeedless: RegExp | undefined;

/** Made at its first use, which takes 1 ms: most texts are plain. */
function hidden(): RegExp {
  eachHidden ??= new RegExp(HIDDEN, 'gv');
  return eachHidden;
}

/**
 * What an emoji needs: a joiner between two pictures, the variation selector after a picture or in a key, the flags of England,
 * Scotland and Wales. Not `\p{RGI_Emoji}`, which takes 18 ms to compile and 4 µs per character.
 */
const EMOJI = String.raw`(?<=\p{ExtPict}\ufe0f?|\p{EMod})\u200d(?=\p{ExtPict})|(?<=\p{ExtPict})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)|🏴\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;

function needless(): RegExp {
  eachNeedless ??= new RegExp(String.raw`\r(?=\n)|${EMOJI}|(?<=${JOINED})[\u200c\u200d](?=${JOINED})|(${HIDDEN})`, 'gv');
  return eachNeedless;
}

/**
 * Replaces each character that a terminal would execute, and each one that hides or reorders text, by its code: `<U+001B>`. Keeps
 * line feeds, tabs, emoji, and joiners that a word needs. Everything that llmc prints passes through here.
 */
export function visibleText(text: string): string {
  return markHidden(text, toNotation);
}

/** The same in one line, so that a text cannot forge a line of its own. */
export function visibleLine(text: string): string {
  return inOneLine(visibleText(text)).replaceAll('\t', ' ');
}

/** Joins the lines of a text with a sign. Not by a regular expression, which would take hours for a megabyte of blanks. */
export function inOneLine(text: string): string {
  const [first = '', ...others] = text.split('\n');
  return [first.trimEnd(), ...others.map((line) => line.trim()).filter((line) => line !== '')].join(' ⏎ ');
}

/** The same for every string inside a value. Keys stay as they are. */
export function visibleIn<Value>(value: Value): Value;
export function visibleIn(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map((each: unknown) => visibleIn(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visibleIn<unknown>(inner)]));
}

/** The characters that `visibleText` would replace. */
export function hiddenIn(text: string): readonly string[] {
  const found: string[] = [];
  markHidden(text, (character) => {
    found.push(character);
    return character;
  });
  return found;
}

/** JSON in which these characters are escaped too, so that it is exact and a terminal can show it. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return text.replace(hidden(), (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** `<U+202E>`, the notation of less. A backslash escape would look like source code. */
export function toNotation(character: string): string {
  return `<${codePoint(character)}>`;
}

/** `U+202E` */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function markHidden(text: string, mark: (character: string) => string): string {
  if (PLAIN.test(text) || text.search(hidden()) === -1) return text;
  return text.replace(needless(), (match, found: string | undefined) => (found === undefined ? match : mark(found)));
}
