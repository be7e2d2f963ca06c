import { measureWidth } from '../../../base/text-width.ts';
import type { Span, Style } from '../../screen/line.ts';

/** A part of a text, from the end of the part before it. */
export interface Piece {
  readonly end: number;
  readonly style: Style;
}

const ASCII = /^[\x20-\x7e]*$/;
let segmenter: Intl.Segmenter | undefined;

/** Where the text has to be cut so that no part is wider than the columns; never inside a character. */
export function cuts(text: string, columns: number): readonly number[] {
  const width = Math.max(1, columns);
  if (ASCII.test(text)) {
    const count = Math.max(1, Math.ceil(text.length / width));
    return Array.from({ length: count }, (_, index) => Math.min(text.length, (index + 1) * width));
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const ends: number[] = [];
  let used = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    const taken = measureWidth(segment);
    if (used > 0 && used + taken > width) {
      ends.push(index);
      used = 0;
    }
    used += taken;
  }
  return [...ends, text.length];
}

/** The part of a text between two cuts, with its styles. */
export function spansBetween(text: string, pieces: readonly Piece[], from: number, to: number): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const { end, style } of pieces) {
    const part = text.slice(Math.max(start, from), Math.min(end, to));
    if (part !== '' && end > from && start < to) spans.push({ text: part, style });
    start = end;
    if (start >= to) break;
  }
  return spans;
}
