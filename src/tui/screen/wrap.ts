import { cutToWidth, measureWidth } from '../../base/text-width.ts';
import { visibleText } from '../../base/visible-text.ts';
import { span } from './fit.ts';
import type { Line, Style } from './line.ts';

/** A text of anybody as lines: broken between words, and inside words that are longer than a line. */
export function wrapText(text: string, columns: number, style?: Style): readonly Line[] {
  return visibleText(text)
    .replaceAll('\t', '  ')
    .split(/\r?\n/)
    .flatMap((line) => wrapLine(line, Math.max(1, columns)))
    .map((line) => [span(line, style)]);
}

function wrapLine(text: string, columns: number): readonly string[] {
  if (measureWidth(text) <= columns) return [text];
  const indent = /^ */.exec(text)?.[0].slice(0, columns - 1) ?? '';
  const lines: string[] = [];
  let current = indent;
  for (const word of text.trim().split(/ +/)) {
    for (const part of pieces(word, columns - indent.length)) {
      const longer = current.trim() === '' ? `${indent}${part}` : `${current} ${part}`;
      if (measureWidth(longer) <= columns) current = longer;
      else {
        lines.push(current);
        current = `${indent}${part}`;
      }
    }
  }
  return [...lines, current];
}

function pieces(word: string, columns: number): readonly string[] {
  const parts: string[] = [];
  let rest = word;
  while (measureWidth(rest) > columns) {
    const cut = cutToWidth(rest, columns + 1).slice(0, -1);
    // A single character can be wider than the room.
    const part = cut === '' ? (Array.from(rest)[0] ?? '') : cut;
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return [...parts, rest];
}
