import type { Pressed } from '../screen/key.ts';
import type { Size } from '../screen/line.ts';
import { commentsUnder, placeAt } from './comments/comment.ts';
import { toNote } from './comments/notes.ts';
import type { DiffView } from './diff-view.ts';
import { makeFrame } from './draw/frame.ts';
import { wholeHead } from './draw/head.ts';
import { isOwnKey } from './keys.ts';
import { moveInLines, scrolled } from './move.ts';
import { switched } from './refresh.ts';
import { withSeen } from './seen.ts';
import { settled } from './settle.ts';
import { clickedFile, moveInFiles } from './update-files.ts';

/** What the pane needs from the rest of the view. */
export type DiffWish =
  /** Ask for a text about `asked` of the diff, then call `withComment`. */
  { readonly kind: 'comment'; readonly at: string } | { readonly kind: 'reload'; readonly ignoreWhitespace: boolean };

export interface DiffUpdate {
  /** The same object if the key means nothing here. */
  readonly diff: DiffView;
  readonly wish?: DiffWish;
}

/** What a key or the mouse does in the pane. The position of the mouse is relative to the pane. */
export function updateDiff(diff: DiffView, pressed: Pressed, size: Size): DiffUpdate {
  if (pressed.kind === 'paste') return { diff };
  const before = settled(diff, size);
  const result = pressed.kind === 'mouse' ? { diff: mouse(before, pressed, size) } : key(before, pressed.key, size);
  const isOwn = pressed.kind === 'key' && isOwnKey(before, pressed.key);
  if (result.diff === before && result.wish === undefined && !isOwn) return { diff };
  // A key of the pane that finds nothing to do, such as j at the end, must not reach the list.
  return { ...result, diff: withSeen(settled({ ...result.diff }, size), size) };
}

function key(diff: DiffView, pressed: string, size: Size): DiffUpdate {
  if (diff.focus === 'head') return { diff: keyInHead(diff, pressed, size) };
  if (pressed === 'o') return { diff: { ...diff, focus: 'head', headTop: 0 } };
  if (pressed === 't') return { diff: switched(diff) };
  if (diff.entries.length === 0) return { diff };
  if (diff.focus === 'files') return { diff: moveInFiles(diff, pressed, size) };
  switch (pressed) {
    case 'f':
      return { diff: moveInFiles(diff, 'f', size) };
    case 's':
      return { diff: { ...diff, sideBySide: !makeFrame(diff, size).isSide } };
    case 'W':
      return { diff: { ...diff, isWrapped: !diff.isWrapped, left: 0 } };
    case 'w':
      return { diff, wish: { kind: 'reload', ignoreWhitespace: !diff.shown.ignores_whitespace } };
    case 'v':
      return { diff: { ...diff, selectedFrom: diff.selectedFrom === undefined ? diff.cursor : undefined } };
    case 'escape':
      return { diff: diff.selectedFrom === undefined ? diff : { ...diff, selectedFrom: undefined } };
    case 'c':
      return askForComment(diff);
    case 'x':
      return { diff: withoutComment(diff) };
    default:
      return { diff: moveInLines(diff, pressed, size) };
  }
}

/** A comment at the cursor is edited; otherwise a new one is about the line, or about the selection. */
function askForComment(diff: DiffView): DiffUpdate {
  const place = (diff.selectedFrom === undefined ? commentAt(diff) : undefined) ?? placeAt(diff.entries, diff.cursor, diff.selectedFrom);
  if (place === undefined) return { diff };
  return { diff: { ...diff, asked: place }, wish: { kind: 'comment', at: toNote(diff, place).at } };
}

const commentAt = (diff: DiffView) => commentsUnder(diff, diff.cursor)[0];

function withoutComment(diff: DiffView): DiffView {
  const found = commentAt(diff);
  return found === undefined ? diff : { ...diff, comments: diff.comments.filter((comment) => comment !== found) };
}

const HEAD_STEPS: Readonly<Record<string, (rows: number) => number>> = {
  j: () => 1,
  down: () => 1,
  k: () => -1,
  up: () => -1,
  'page-down': (rows) => rows,
  'page-up': (rows) => -rows,
  'ctrl+d': (rows) => Math.ceil(rows / 2),
  'ctrl+u': (rows) => -Math.ceil(rows / 2),
  home: () => Number.NEGATIVE_INFINITY,
  g: () => Number.NEGATIVE_INFINITY,
  end: () => Number.POSITIVE_INFINITY,
  G: () => Number.POSITIVE_INFINITY,
};

function keyInHead(diff: DiffView, pressed: string, size: Size): DiffView {
  if (pressed === 'o' || pressed === 'escape') return { ...diff, focus: 'lines' };
  const step = HEAD_STEPS[pressed]?.(size.rows);
  return step === undefined ? diff : scrolledHead(diff, step, size);
}

function scrolledHead(diff: DiffView, step: number, size: Size): DiffView {
  const most = Math.max(0, wholeHead(diff.shown, size.columns).length - size.rows);
  return { ...diff, headTop: Math.max(0, Math.min(most, diff.headTop + step)) };
}

const WHEEL = 3;

function mouse(diff: DiffView, { action, column, row }: Pressed & { readonly kind: 'mouse' }, size: Size): DiffView {
  const step = action === 'wheel-down' ? WHEEL : -WHEEL;
  if (diff.focus === 'head') return action === 'press' ? diff : scrolledHead(diff, step, size);
  if (diff.entries.length === 0) return diff;
  return action === 'press' ? clickedFile(diff, column, row, size) : scrolled(diff, step, size);
}
