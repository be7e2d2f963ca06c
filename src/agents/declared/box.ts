import type { InputBox } from '../agent.ts';
import { foldedBox } from '../screen-rules/folded-box.ts';
import type { Patterns } from './patterns.ts';

export interface BoxRows {
  /** Rows of the screen: the first row of the input box, and the first row below it. */
  readonly start: number;
  readonly end: number;
  readonly box: InputBox;
}

/** The input box is the last block of rows that match `box`, with the rows directly below that match `box_more`. The groups give its text. */
export function findBox(lines: readonly string[], { box, boxMore, folded }: Patterns): BoxRows | undefined {
  if (box === undefined) return undefined;
  const last = lines.findLastIndex((line) => box.expression.test(line));
  if (last === -1) return undefined;
  let start = last;
  while (start > 0 && box.expression.test(lines[start - 1] ?? '')) start -= 1;
  const rows = lines.slice(start, last + 1).map((line) => caught(box.expression, line));
  let end = last + 1;
  for (; boxMore !== undefined && end < lines.length && boxMore.expression.test(lines[end] ?? ''); end += 1)
    rows.push(caught(boxMore.expression, lines[end] ?? ''));
  return { start, end, box: readBox(rows, folded?.expression) };
}

function caught(expression: RegExp, line: string): string {
  return (expression.exec(line) ?? []).slice(1).find((group) => group !== undefined) ?? '';
}

function readBox(rows: readonly string[], folded: RegExp | undefined): InputBox {
  const text = rows.join('\n').trim();
  if (text === '') return { kind: 'empty' };
  const linesOf = (size: string | undefined) => (size === undefined ? undefined : Number.parseInt(size, 10));
  return (folded && foldedBox(text, folded, linesOf)) ?? { kind: 'text', text };
}
