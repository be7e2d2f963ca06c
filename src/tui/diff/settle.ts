import type { Size } from '../screen/line.ts';
import type { DiffView } from './diff-view.ts';
import { type Frame, makeFrame } from './draw/frame.ts';
import { countRowLines } from './draw/row.ts';

/** Scrolls so that the cursor is visible and the end is not above the last row. Measures no more rows than a screen has. */
export function settled(diff: DiffView, size: Size): DiffView {
  if (diff.entries.length === 0) return diff;
  const frame = makeFrame(diff, size);
  const { all, rows } = frame;
  const cursor = all.rowOf(diff.cursor);
  let top = Math.min(all.rowOf(diff.top), cursor);
  const lowest = topFor(diff, frame, cursor, rows);
  if (top < lowest) top = lowest;
  const last = all.count - 1;
  if (last - top < rows) top = Math.min(top, topFor(diff, frame, last, rows));
  // In a side-by-side view, another entry can stand for the same row.
  return top === all.rowOf(diff.top) ? diff : { ...diff, top: all.entryOf(top) };
}

/** The first row above this one from which it is wholly visible. */
function topFor(diff: DiffView, frame: Frame, row: number, rows: number): number {
  let top = row;
  let room = rows - countRowLines(diff, frame, row);
  while (top > 0) {
    room -= countRowLines(diff, frame, top - 1);
    if (room < 0) break;
    top -= 1;
  }
  return top;
}

/** The last row that is wholly visible from this one. */
export function lastFrom(diff: DiffView, frame: Frame, row: number, rows: number): number {
  let last = row;
  let room = rows - countRowLines(diff, frame, row);
  while (last + 1 < frame.all.count) {
    room -= countRowLines(diff, frame, last + 1);
    if (room < 0) break;
    last += 1;
  }
  return last;
}
