import type { Hit } from '../model/event.ts';
import type { Rect } from '../model/layout.ts';
import { layoutIn, noteRows } from '../model/pane.ts';
import type { View } from '../model/view.ts';
import { listIn } from './draw.ts';
import { itemAt } from './draw-list.ts';
import { tabAt } from './draw-pane.ts';

/** What is drawn at a place of the screen. */
export function hitAt(view: View, column: number, row: number): Hit {
  const { list, pane, foot } = layoutIn(view);
  if (list !== undefined && isIn(list, column, row)) {
    const key = itemAt(listIn(view), list, row - list.row);
    return key === undefined ? { kind: 'list' } : { kind: 'item', key };
  }
  if (pane !== undefined && isIn(pane, column, row)) {
    const tab = row === pane.row ? tabAt(column - pane.column) : undefined;
    if (tab !== undefined) return { kind: 'tab', tab };
    return { kind: 'pane', column: column - pane.column, row: row - pane.row - 1 - noteRows(view) };
  }
  return { kind: row === view.size.rows - 2 && foot > 0 ? 'task' : 'elsewhere' };
}

function isIn({ column, row, columns, rows }: Rect, x: number, y: number): boolean {
  return x >= column && x < column + columns && y >= row && y < row + rows;
}
