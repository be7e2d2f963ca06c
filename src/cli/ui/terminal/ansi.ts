import { visibleText } from '../../../base/visible-text.ts';
import type { Color, Line, Style } from '../../../tui/screen/line.ts';

const COLORS: Readonly<Record<Color, number>> = { red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, gray: 90 };
const RESET = '\u001b[0m';

/** A line as a terminal reads it. Without colours, bold, dim, underlined and reversed text stay. */
export function toAnsi(line: Line, color: boolean): string {
  return line.map(({ text, style }) => dressed(onOneRow(text), listCodes(style, color))).join('');
}

/** The last wall: no control character of a line reaches the terminal. */
function onOneRow(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, ' ');
}

function dressed(text: string, codes: readonly number[]): string {
  return codes.length === 0 || text === '' ? text : `\u001b[${codes.join(';')}m${text}${RESET}`;
}

function listCodes(style: Style | undefined, color: boolean): readonly number[] {
  if (style === undefined) return [];
  const { bold, dim, underline, inverse, color: ink, background } = style;
  return [
    ...(bold === true ? [1] : []),
    ...(dim === true ? [2] : []),
    ...(underline === true ? [4] : []),
    ...(inverse === true ? [7] : []),
    ...(color && ink !== undefined ? [COLORS[ink]] : []),
    ...(color && background !== undefined ? [COLORS[background] + 10] : []),
  ];
}
