import { sentence } from '../../base/sentence.ts';
import type { ScreenEvent } from '../../supervisor/follow/screens.ts';
import { cutLine, fitRows, span } from '../screen/fit.ts';
import { linesFromSgr } from '../screen/from-sgr.ts';
import type { Line, Size } from '../screen/line.ts';
import { wrapText } from '../screen/wrap.ts';

/** The screen of an agent in exactly this size. A larger screen is cut at its right side, and at its top: agents write at the bottom. */
export function drawScreen(event: ScreenEvent, { columns, rows }: Size): readonly Line[] {
  if ('noScreen' in event) return fitRows(wrapText(sentence(event.noScreen), columns, { dim: true }), rows);
  const { lines, of } = event.screen;
  const note: readonly Line[] = of === 'agent' ? [] : [[span(cutNote(columns), { dim: true })]];
  const shown = withoutBlankEnd(linesFromSgr(lines)).slice(-Math.max(1, rows - note.length));
  return fitRows([...note, ...shown.map((line) => cutLine(line, columns))], rows);
}

/** The agent works over its protocol, so this screen is not what llmc decides by. */
const cutNote = (columns: number): string => 'a viewer of the conversation'.slice(0, columns);

function withoutBlankEnd(lines: readonly Line[]): readonly Line[] {
  return lines.slice(0, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

function isBlank(line: Line): boolean {
  return line.every(({ text, style }) => text.trim() === '' && style?.background === undefined && style?.inverse !== true);
}
