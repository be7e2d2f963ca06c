import type { Size } from '../screen/line.ts';
import type { DiffView } from './diff-view.ts';
import { makeFrame } from './draw/frame.ts';
import { countRowLines } from './draw/row.ts';
import { chooseFirstRow, treeCursor } from './draw/tree-lines.ts';
import { shownAt } from './move.ts';
import type { DiffFile } from './parse/diff-file.ts';
import { type TreeRow, treeRows } from './tree.ts';

/** What a key does while the list of files has the focus. `f` gives it the focus, and takes it away. */
export function moveInFiles(diff: DiffView, pressed: string, size: Size): DiffView {
  const rows = treeRows(diff.files, diff.tree.folded);
  const cursor = treeCursor(diff, rows);
  if (diff.focus !== 'files') return { ...diff, focus: 'files', tree: { ...diff.tree, cursor } };
  const to = (row: number): DiffView => ({ ...diff, tree: { ...diff.tree, cursor: Math.max(0, Math.min(rows.length - 1, row)) } });
  const page = Math.max(1, size.rows - makeFrame(diff, size).headRows - 1);
  switch (pressed) {
    case 'f':
    case 'escape':
      return { ...diff, focus: 'lines' };
    case 'j':
    case 'down':
      return to(cursor + 1);
    case 'k':
    case 'up':
      return to(cursor - 1);
    case 'page-down':
      return to(cursor + page);
    case 'page-up':
      return to(cursor - page);
    case 'g':
    case 'home':
      return to(0);
    case 'G':
    case 'end':
      return to(rows.length - 1);
    case 'left':
    case 'right':
    case 'enter':
      return chosen(diff, rows, cursor, pressed, size);
    default:
      return diff;
  }
}

/** Folds or unfolds a folder; `enter` goes to a file, `left` to the folder around it. */
function chosen(diff: DiffView, rows: readonly TreeRow[], cursor: number, pressed: string, size: Size): DiffView {
  const row = rows[cursor];
  if (row === undefined) return diff;
  const isOpen = row.kind === 'folder' && !row.isFolded;
  if (pressed === 'left' && !isOpen) return { ...diff, tree: { ...diff.tree, cursor: above(rows, cursor) } };
  if (row.kind === 'file') return pressed === 'enter' ? toFile(diff, row.file, size) : diff;
  if (pressed === 'right' && isOpen) return diff;
  const folded = new Set(diff.tree.folded);
  if (row.isFolded) folded.delete(row.path);
  else folded.add(row.path);
  return { ...diff, tree: { cursor, folded } };
}

/** The row of the folder around a row. */
function above(rows: readonly TreeRow[], cursor: number): number {
  const depth = rows[cursor]?.depth ?? 0;
  const found = rows.slice(0, cursor).findLastIndex((row) => row.depth < depth);
  return found === -1 ? cursor : found;
}

function toFile(diff: DiffView, file: DiffFile, size: Size): DiffView {
  const entry = diff.entries.findIndex((each) => each.file === file);
  return shownAt({ ...diff, focus: 'lines', selectedFrom: undefined }, Math.max(0, entry), size);
}

/** A click in the list goes to the file, or folds the folder; a click in the lines moves the cursor. */
export function clickedFile(diff: DiffView, column: number, row: number, size: Size): DiffView {
  const frame = makeFrame(diff, size);
  const below = row - frame.headRows;
  if (below < 0) return diff;
  const isWholeTree = diff.focus === 'files' && frame.treeColumns === 0;
  if (isWholeTree || column < frame.treeColumns) {
    const rows = treeRows(diff.files, diff.tree.folded);
    const height = isWholeTree ? size.rows - frame.headRows : frame.rows + frame.titleRows;
    const cursor = chooseFirstRow(treeCursor(diff, rows), rows.length, height) + below;
    return cursor >= rows.length ? diff : chosen({ ...diff, tree: { ...diff.tree, cursor } }, rows, cursor, 'enter', size);
  }
  let left = below - frame.titleRows;
  for (let at = frame.all.rowOf(diff.top); at < frame.all.count && left >= 0; at += 1) {
    left -= countRowLines(diff, frame, at);
    if (left < 0) return { ...diff, focus: 'lines', cursor: frame.all.entryOf(at) };
  }
  return diff;
}
