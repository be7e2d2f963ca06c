import { cutLine, fitLine, widthOfLine } from '../../screen/fit.ts';
import type { Line } from '../../screen/line.ts';
import type { DiffView } from '../diff-view.ts';
import { type TreeRow, treeRows } from '../tree.ts';
import { countSpans } from './row.ts';
import { shownName } from './shown-line.ts';

/** The list of files, scrolled to its cursor; to the file that is shown, while the keys move in the lines. */
export function treeLines(diff: DiffView, columns: number, rows: number): readonly Line[] {
  const all = treeRows(diff.files, diff.tree.folded);
  const current = treeCursor(diff, all);
  const first = chooseFirstRow(current, all.length, rows);
  return all.slice(first, first + rows).map((row, at) => treeLine(diff, row, first + at === current, columns));
}

/** The first row that is drawn. */
export const chooseFirstRow = (cursor: number, count: number, rows: number): number =>
  Math.max(0, Math.min(cursor - Math.floor(rows / 2), count - rows));

/** The row of the list that is marked. */
export function treeCursor({ focus, tree, entries, cursor }: DiffView, rows: readonly TreeRow[]): number {
  if (focus === 'files') return Math.max(0, Math.min(tree.cursor, rows.length - 1));
  const file = entries[cursor]?.file;
  const path = file?.path ?? '';
  const exact = rows.findIndex((row) => row.kind === 'file' && row.file === file);
  return exact === -1
    ? Math.max(
        0,
        rows.findIndex((row) => row.kind === 'folder' && path.startsWith(`${row.path}/`)),
      )
    : exact;
}

function treeLine({ seen, comments, focus }: DiffView, row: TreeRow, isCurrent: boolean, columns: number): Line {
  const mark = { text: isCurrent ? '>' : ' ', style: { bold: true, inverse: isCurrent && focus === 'files' } };
  const indent = '  '.repeat(Math.min(row.depth, Math.max(0, Math.floor(columns / 6))));
  if (row.kind === 'folder') {
    const name = `${indent}${row.isFolded ? '▸' : '▾'} ${shownName(row.name)}/`;
    return cutLine(
      [mark, { text: name, style: { color: 'blue', bold: isCurrent } }, { text: row.isFolded ? ` ${row.files}` : '' }],
      columns,
    );
  }
  const { path, status, added, removed } = row.file;
  const isSeen = seen.get(path)?.isWhole === true;
  const remarks = comments.filter((comment) => comment.path === path).length;
  const end: Line = [
    ...countSpans(added, removed),
    ...(remarks === 0 ? [] : [{ text: ` ${remarks}c`, style: { color: 'yellow' as const } }]),
  ];
  const start: Line = [
    mark,
    { text: `${indent}${isSeen ? '✓' : ' '}${status} `, style: { color: isSeen ? 'green' : 'yellow' } },
    { text: shownName(row.name), style: { bold: isCurrent } },
  ];
  const room = columns - widthOfLine(end);
  return room < 12 ? cutLine([...start, ...end], columns) : [...(widthOfLine(start) > room ? fitLine(start, room) : start), ...end];
}
