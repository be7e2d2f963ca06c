import { cutToWidth, measureWidth, padToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Display } from '../shell.ts';

/** Rows of cells as aligned lines, each cut to the width of the terminal. */
export function table(cells: readonly (readonly string[])[], { columns }: Pick<Display, 'columns'>): string {
  const rows = cells.map((row) => row.map(visibleLine));
  const widths = rows[0]?.map((_, index) => Math.max(...rows.map((row) => measureWidth(row[index] ?? '')))) ?? [];
  return rows
    .map((row) => row.map((cell, index) => padToWidth(cell, widths[index] ?? 0)).join('  '))
    .map((row) => cutToWidth(row.trimEnd(), columns))
    .join('\n');
}
