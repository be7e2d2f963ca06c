import type { Size } from '../screen/line.ts';
import type { DiffView } from './diff-view.ts';
import { makeFrame } from './draw/frame.ts';
import type { Entry } from './entries.ts';
import { lastFrom } from './settle.ts';

const SIDE_STEP = 8;

/** Moves the cursor, and what is visible with it. */
export function moveInLines(diff: DiffView, pressed: string, size: Size): DiffView {
  const frame = makeFrame(diff, size);
  const page = Math.max(1, frame.rows - 1);
  const by = (rows: number): DiffView => {
    const row = Math.max(0, Math.min(frame.all.count - 1, frame.all.rowOf(diff.cursor) + rows));
    return at(diff, frame.all.entryOf(row));
  };
  switch (pressed) {
    case 'j':
    case 'down':
      return by(1);
    case 'k':
    case 'up':
      return by(-1);
    case 'J':
      return toStart(diff, 1, (entry) => entry.kind === 'hunk' || (entry.kind === 'file' && entry.file.hunks.length === 0), size);
    case 'K':
      return toStart(diff, -1, (entry) => entry.kind === 'hunk' || (entry.kind === 'file' && entry.file.hunks.length === 0), size);
    case 'N':
      return toStart(diff, 1, (entry) => entry.kind === 'file', size);
    case 'P':
      return toStart(diff, -1, (entry) => entry.kind === 'file', size);
    case 'ctrl+d':
      return scrolled(diff, Math.ceil(page / 2), size, true);
    case 'ctrl+u':
      return scrolled(diff, -Math.ceil(page / 2), size, true);
    case 'page-down':
      return scrolled(diff, page, size, true);
    case 'page-up':
      return scrolled(diff, -page, size, true);
    case 'g':
    case 'home':
      return at(diff, 0);
    case 'G':
    case 'end':
      return at(diff, diff.entries.length - 1);
    case 'left':
      return diff.isWrapped ? diff : { ...diff, left: Math.max(0, diff.left - SIDE_STEP) };
    case 'right':
      return diff.isWrapped ? diff : { ...diff, left: diff.left + SIDE_STEP };
    default:
      return diff;
  }
}

const at = (diff: DiffView, cursor: number): DiffView => (cursor === diff.cursor ? diff : { ...diff, cursor });

/** To the next or previous entry of a kind, which then stands at the top. */
function toStart(diff: DiffView, step: 1 | -1, isStart: (entry: Entry) => boolean, size: Size): DiffView {
  for (let entry = diff.cursor + step; entry >= 0 && entry < diff.entries.length; entry += step) {
    const found = diff.entries[entry];
    if (found !== undefined && isStart(found)) return shownAt(diff, entry, size);
  }
  return diff;
}

/** With the cursor at this entry, and the entry at the top. */
export function shownAt(diff: DiffView, entry: number, size: Size): DiffView {
  const { all } = makeFrame(diff, size);
  return { ...diff, cursor: entry, top: all.entryOf(Math.max(0, all.rowOf(entry))) };
}

/** Scrolls by rows. The cursor goes along with a page; otherwise it only stays on the screen. */
export function scrolled(diff: DiffView, rows: number, size: Size, isPage = false): DiffView {
  const frame = makeFrame(diff, size);
  const { all } = frame;
  const clamp = (row: number) => Math.max(0, Math.min(all.count - 1, row));
  const lastTop = Math.max(0, all.count - 1);
  const top = Math.min(lastTop, clamp(all.rowOf(diff.top) + rows));
  const cursor = clamp(all.rowOf(diff.cursor) + (isPage ? rows : 0));
  const visible = Math.max(top, Math.min(cursor, lastFrom(diff, frame, top, frame.rows)));
  return { ...diff, top: all.entryOf(top), cursor: all.entryOf(visible) };
}
