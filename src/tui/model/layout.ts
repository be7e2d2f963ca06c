import type { Size } from '../screen/line.ts';

export interface Rect extends Size {
  readonly column: number;
  readonly row: number;
}

export interface ViewLayout {
  /** Rows above the body: where the root is, and the counts. */
  readonly head: number;
  readonly list: Rect | undefined;
  /** With the row of its tabs. */
  readonly pane: Rect | undefined;
  /** The column of the line between the two. */
  readonly divider: number | undefined;
  /** The rows below the body: the notice, the task line, the keys. */
  readonly foot: number;
}

/** From here on the two parts stand side by side. */
const WIDE = 100;
/** Below this the terminal shows one part at a time. */
const SMALL: Size = { columns: 60, rows: 20 };
const FEWEST_LIST_ROWS = 5;
const LIST_COLUMNS = { least: 44, most: 60 };

/** Where everything stands. A small terminal shows the list, or the pane while that has the focus; a zoomed pane stands alone. */
export function arrangeView({ columns, rows }: Size, focus: 'list' | 'pane' | 'zoomed', listRows: number): ViewLayout {
  const head = rows >= 16 && focus !== 'zoomed' ? 2 : 1;
  const foot = rows >= 10 ? 3 : 2;
  const body: Rect = { column: 0, row: head, columns, rows: Math.max(0, rows - head - foot) };
  if (columns < SMALL.columns || rows < SMALL.rows || focus === 'zoomed') {
    const [list, pane] = focus === 'list' ? [body, undefined] : [undefined, body];
    return { head, foot, list, pane, divider: undefined };
  }
  if (columns >= WIDE) {
    const width = Math.min(LIST_COLUMNS.most, Math.max(LIST_COLUMNS.least, Math.floor(columns * 0.4)));
    const list = { ...body, columns: width };
    return { head, foot, list, pane: { ...body, column: width + 1, columns: columns - width - 1 }, divider: width };
  }
  const top = Math.min(Math.max(FEWEST_LIST_ROWS, listRows), Math.floor(body.rows * 0.45));
  return {
    head,
    foot,
    divider: undefined,
    list: { ...body, rows: top },
    pane: { ...body, row: head + top, rows: body.rows - top },
  };
}

/** The rows that the content of the pane has, below its tabs. */
export function contentSize(pane: Rect | undefined): Size {
  return { columns: pane?.columns ?? 0, rows: Math.max(0, (pane?.rows ?? 0) - 1) };
}
