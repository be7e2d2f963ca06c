import { cutToWidth, measureWidth } from '../../base/text-width.ts';
import type { Line, Span, Style } from './line.ts';

export function span(text: string, style?: Style): Span {
  return style === undefined ? { text } : { text, style };
}

export function widthOfLine(line: Line): number {
  return line.reduce((sum, { text }) => sum + measureWidth(text), 0);
}

/** At most this many columns, with `…` for what was left out. */
export function cutLine(line: Line, columns: number): Line {
  if (widthOfLine(line) <= columns) return line;
  const kept: Span[] = [];
  let room = columns;
  for (const each of line) {
    const width = measureWidth(each.text);
    // The last span that fits is cut too if nothing fits behind it, so that the sign shows that there is more.
    if (width < room) kept.push(each);
    else {
      const text = cutToWidth(width === room ? `${each.text} ` : each.text, room);
      kept.push({ ...each, text });
      break;
    }
    room -= width;
  }
  return kept;
}

/** Exactly this many columns. The style fills the rest, as for a selected line. */
export function fitLine(line: Line, columns: number, fill?: Style): Line {
  const cut = cutLine(line, columns);
  const missing = columns - widthOfLine(cut);
  return missing <= 0 ? cut : [...cut, span(' '.repeat(missing), fill)];
}

/** The same line in one more style, where a span does not say otherwise. */
export function dress(line: Line, style: Style): Line {
  return line.map((each) => ({ ...each, style: { ...style, ...each.style } }));
}

/** Puts a text at each end of a row. The left one gives way. */
export function apart(left: Line, right: Line, columns: number): Line {
  const end = cutLine(right, columns);
  const room = columns - widthOfLine(end);
  return [...fitLine(left, room), ...end];
}

/** Exactly this many lines: the first ones, and empty ones below. */
export function fitRows(lines: readonly Line[], rows: number): readonly Line[] {
  return lines.length >= rows ? lines.slice(0, rows) : [...lines, ...Array.from({ length: rows - lines.length }, (): Line => [])];
}
