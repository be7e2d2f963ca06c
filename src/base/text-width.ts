/** One column each: ASCII and the signs llmc itself prints. */
const PLAIN = /^[\x20-\x7e·–—‘’“”…→↳⏎]*$/;

/** Ranges of code points that take two columns, and none: the common part of Unicode's East_Asian_Width and of combining marks. */
const WIDE = [
  0x1100, 0x115f, 0x2e80, 0x303e, 0x3041, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0,
  0xffe6, 0x1f300, 0x1f64f, 0x1f680, 0x1f6ff, 0x1f900, 0x1f9ff, 0x1fa70, 0x1faff, 0x20000, 0x3fffd,
];
const EMPTY = [
  0x300, 0x36f, 0x1ab0, 0x1aff, 0x1dc0, 0x1dff, 0x200b, 0x200f, 0x2060, 0x2064, 0x20d0, 0x20ff, 0xfe00, 0xfe0f, 0xfe20, 0xfe2f, 0x1f3fb,
  0x1f3ff,
];
const JOINER = 0x200d;

/** Columns a text takes on a terminal; colours take none. By hand: string-width costs every start of llmc 20 ms for its emoji patterns. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  let before = 0;
  for (const character of text.replace(/\u001b\[[0-9;]*m/g, '')) {
    const code = character.codePointAt(0) ?? 0;
    if (before !== JOINER && !isIn(EMPTY, code)) width += isIn(WIDE, code) ? 2 : 1;
    before = code;
  }
  return width;
}

function isIn(ranges: readonly number[], code: number): boolean {
  for (let index = 0; index < ranges.length; index += 2) if (code >= (ranges[index] ?? 0) && code <= (ranges[index + 1] ?? 0)) return true;
  return false;
}

/** At most this many columns, with `…` for what was left out. Never half a character. */
export function cutToWidth(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let cut = '';
  let room = columns - 1;
  for (const { segment } of graphemes.segment(text)) {
    room -= widthOf(segment);
    if (room < 0) break;
    cut += segment;
  }
  return columns < 1 ? '' : `${cut}…`;
}

export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** Broken between words; further lines are indented. A word longer than a line stays whole, so that it can be copied. */
export function wrapWithIndent(text: string, columns: number, indent: number): readonly string[] {
  if (widthOf(text) <= columns) return [text];
  const start = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let current = start;
  for (const word of text.trim().split(/ +/)) {
    // An arrow alone at the end of a line points at nothing.
    const isFirst = current.trim() === '' || current.trim() === '↳';
    const longer = current.trim() === '' ? `${current}${word}` : `${current} ${word}`;
    if (isFirst || widthOf(longer) <= columns) current = longer;
    else {
      lines.push(current);
      current = `${' '.repeat(indent)}${word}`;
    }
  }
  return [...lines, current];
}
