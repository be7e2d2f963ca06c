import { eastAsianWidth } from 'get-east-asian-width';

/** One column each: ASCII and the signs llmc itself prints. */
const PLAIN = /^[\x20-\x7e·–—‘’“”…→↳⏎]*$/;

const JOINER = 0x200d;

/** Columns a text takes on a terminal; colours take none. string-width would cost every start of llmc 20 ms: it compiles emoji patterns. */
export function measureWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  let before = 0;
  for (const character of text.replace(/\u001b\[[0-9;]*m/g, '')) {
    const code = character.codePointAt(0) ?? 0;
    if (before !== JOINER && !takesNoColumn(character)) width += eastAsianWidth(code);
    before = code;
  }
  return width;
}

/** Combining marks, joiners, variation selectors, and skin tones, which change the emoji before them. */
function takesNoColumn(character: string): boolean {
  return /^[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]$/u.test(character);
}

/** At most this many columns, with `…` for what was left out. Never half a character. */
export function cutToWidth(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let cut = '';
  let room = columns - 1;
  for (const { segment } of graphemes.segment(text)) {
    room -= measureWidth(segment);
    if (room < 0) break;
    cut += segment;
  }
  return columns < 1 ? '' : `${cut}…`;
}

export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - measureWidth(text)));
}

/** Broken between words; further lines are indented. A word longer than a line stays whole, so that it can be copied. */
export function wrapWithIndent(text: string, columns: number, indent: number): readonly string[] {
  if (measureWidth(text) <= columns) return [text];
  const start = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let current = start;
  for (const word of text.trim().split(/ +/)) {
    // An arrow alone at the end of a line points at nothing.
    const isFirst = current.trim() === '' || current.trim() === '↳';
    const longer = current.trim() === '' ? `${current}${word}` : `${current} ${word}`;
    if (isFirst || measureWidth(longer) <= columns) current = longer;
    else {
      lines.push(current);
      current = `${' '.repeat(indent)}${word}`;
    }
  }
  return [...lines, current];
}
