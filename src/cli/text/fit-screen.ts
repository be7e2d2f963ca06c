import { widthOf } from '../../base/text-width.ts';

/** A page for a terminal of this size: lines end at the edge, and what does not fit below is counted. */
export function fitScreen(text: string, columns: number, rows: number): string {
  const lines = text.split('\n').map((line) => cut(line, columns));
  if (lines.length < rows) return lines.join('\n');
  const shown = lines.slice(0, Math.max(1, rows - 2));
  return [...shown, `… ${lines.length - shown.length} more lines: llmc status`].join('\n');
}

/** Colours take no room, and the last of them is kept: it ends the others. */
function cut(line: string, columns: number): string {
  let room = columns;
  return line.replace(/\u001b\[[0-9;]*m|./gu, (sign) => {
    if (sign.startsWith('\u001b')) return sign;
    room -= widthOf(sign);
    return room >= 0 ? sign : '';
  });
}
