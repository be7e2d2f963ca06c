import stringWidth from 'string-width';

/** One column each. With llmc's own signs: string-width compiles its emoji pattern at first use, which costs `llmc status` about 20 ms. */
const PLAIN = /^[\x20-\x7e·–—‘’“”…→↳⏎]*$/;

/** Columns a text takes on a terminal; colours take none. */
export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text);
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
