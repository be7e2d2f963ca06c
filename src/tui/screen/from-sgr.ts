import { visibleText } from '../../base/visible-text.ts';
import type { Line, Span, Style } from './line.ts';
import { withSgr } from './sgr.ts';

/**
 * A sequence that a terminal would execute: CSI, a string such as a title or a link (OSC, DCS, APC, PM, SOS) up to its end, any other
 * escape, and the two shifts to and from line drawing. An unfinished string takes the rest of the line with it.
 */
const SEQUENCE =
  /\u001b\[([0-?]*)[ -/]*([@-~]?)|\u001b[\]PX^_](?:(?!\u001b\\|\u0007).)*(?:\u001b\\|\u0007|$)|\u001b[ -/]*[0-~]?|([\u000e\u000f])/gu;

/** The line drawing of the VT100, which tmux captures as shifted letters. */
const DRAWN: Readonly<Record<string, string>> = {
  j: '┘',
  k: '┐',
  l: '┌',
  m: '└',
  n: '┼',
  q: '─',
  t: '├',
  u: '┤',
  v: '┴',
  w: '┬',
  x: '│',
  a: '▒',
  '`': '◆',
  '~': '·',
};

/** A line of a captured screen. Keeps its colours, and nothing else that a terminal would execute. The style goes on in the next line. */
export function lineFromSgr(text: string, begin: Style = {}): { readonly line: Line; readonly style: Style } {
  const spans: Span[] = [];
  let style = begin;
  let isDrawing = false;
  let from = 0;
  const add = (part: string) => {
    if (part === '') return;
    const drawn = isDrawing ? part.replace(/[a-z`~]/g, (letter) => DRAWN[letter] ?? letter) : part;
    spans.push({ text: visibleText(drawn).replace(/[\t\n]/g, ' '), ...(Object.keys(style).length > 0 && { style }) });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    add(text.slice(from, match.index));
    from = match.index + match[0].length;
    const [, parameters = '', final = '', shift] = match;
    if (final === 'm') style = withSgr(style, parameters);
    if (shift !== undefined) isDrawing = shift === '\u000e';
  }
  add(text.slice(from));
  return { line: spans, style };
}

/** The lines of a captured screen. */
export function linesFromSgr(lines: readonly string[]): readonly Line[] {
  let style: Style = {};
  return lines.map((text) => {
    const read = lineFromSgr(text, style);
    style = read.style;
    return read.line;
  });
}
