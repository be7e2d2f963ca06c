import type { Size } from '../../screen/line.ts';
import type { DiffView } from '../diff-view.ts';
import { arrangeRows, type Rows } from '../entries.ts';
import { countHeadRows } from './head.ts';

/** How the pane divides its size. */
export interface Frame {
  readonly headRows: number;
  /** The name of the file that is shown, above its lines. */
  readonly titleRows: number;
  /** The columns of the list of files; 0 if there is no room. */
  readonly treeColumns: number;
  readonly columns: number;
  readonly rows: number;
  readonly isSide: boolean;
  readonly all: Rows;
  /** The width of a line number; 0 if there is no room for them. */
  readonly digits: number;
}

/** From here on, old and new lines are beside each other. */
const WIDE = 130;
/** From here on, the files have a column of their own. */
const WITH_TREE = { beside: 160, below: 100 };
const NARROWEST_WITH_NUMBERS = 40;
const NARROWEST_SIDE = 60;

export function makeFrame(diff: DiffView, size: Size): Frame {
  const isSide = (diff.sideBySide ?? size.columns >= WIDE) && size.columns >= NARROWEST_SIDE;
  const hasTree = size.columns >= (isSide ? WITH_TREE.beside : WITH_TREE.below) && diff.files.length > 1;
  const treeColumns = hasTree ? Math.min(44, Math.floor(size.columns / 4)) : 0;
  const columns = Math.max(1, size.columns - treeColumns);
  const headRows = countHeadRows(diff.shown, size.rows);
  const titleRows = size.rows - headRows >= 6 && diff.entries.length > 0 ? 1 : 0;
  const digits = columns < NARROWEST_WITH_NUMBERS ? 0 : Math.max(3, String(highest(diff)).length);
  const rows = Math.max(0, size.rows - headRows - titleRows);
  return { headRows, titleRows, treeColumns, columns, rows, isSide, all: arrangeRows(diff.entries, isSide), digits };
}

const counted = new WeakMap<DiffView['files'], number>();

function highest({ files }: DiffView): number {
  const known = counted.get(files);
  if (known !== undefined) return known;
  const ends = files.flatMap(({ hunks }) => hunks.map(({ before, after, lines }) => Math.max(before, after) + lines.length));
  const most = ends.reduce((one, other) => Math.max(one, other), 0);
  counted.set(files, most);
  return most;
}
