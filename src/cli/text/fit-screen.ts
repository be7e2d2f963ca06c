import { measureWidth } from '../../base/text-width.ts';
import type { Size } from '../../tui/screen/line.ts';

/** Fits text to a terminal: cuts lines at the right edge, and replaces the lines that do not fit by their number. */
export function fitScreen(text: string, { columns, rows }: Size, command = 'llmc status'): string {
  const lines = text.split('\n').map((line) => cut(line, columns));
  if (lines.length < rows) return lines.join('\n');
  const shown = lines.slice(0, Math.max(1, rows - 2));
  return [...shown, `… ${lines.length - shown.length} more lines: ${command}`].join('\n');
}

/** Colour codes have no width. All of them are kept, because the last one resets the colour. */
function cut(line: string, columns: number): string {
  let room = columns;
  return line.replace(/\u001b\[[0-9;]*m|./gu, (sign) => {
    if (sign.startsWith('\u001b')) return sign;
    room -= measureWidth(sign);
    return room >= 0 ? sign : '';
  });
}
