import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

const PLAIN = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text);
}

/** Removes everything from a command's output that could move the cursor or change colours. */
export function displayable(text: string): string {
  return (
    stripVTControlCharacters(text)
      .replaceAll('\t', '    ')
      .replace(/[^\P{Cc}\n]/gu, '')
      // tmux 3.3a attaches the next drawn character, anywhere on the screen, to a joiner without its second half.
      .replace(/\u200d(?!\p{Extended_Pictographic})/gu, '')
  );
}

/** Breaks at any character, without adding or losing text. */
export function wrapHard(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => breakLine(line, width));
}

/** Breaks between words if a line has several. */
export function wrapWords(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (widthOf(line) <= width) return [line];
    const rows: string[] = [];
    let row = '';
    for (const word of line.split(' ')) {
      const longer = row === '' ? word : `${row} ${word}`;
      if (widthOf(longer) <= width) {
        row = longer;
        continue;
      }
      if (row !== '') rows.push(row);
      const pieces = breakLine(word, width);
      rows.push(...pieces.slice(0, -1));
      row = pieces.at(-1) ?? '';
    }
    return [...rows, row];
  });
}

/** Cuts a line to the width and marks the cut with an ellipsis. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return `${breakLine(text, Math.max(1, width - 1))[0] ?? ''}…`;
}

function breakLine(line: string, width: number): string[] {
  if (PLAIN.test(line)) {
    const rows: string[] = [];
    for (let at = 0; at < line.length; at += width) rows.push(line.slice(at, at + width));
    return rows.length === 0 ? [''] : rows;
  }
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const { segment } of graphemes.segment(line)) {
    const size = widthOf(segment);
    if (used + size > width && row !== '') {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += segment;
    used += size;
  }
  return [...rows, row];
}
