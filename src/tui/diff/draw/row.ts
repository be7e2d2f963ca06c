import { cutLine, fitLine } from '../../screen/fit.ts';
import type { Line, Span, Style } from '../../screen/line.ts';
import { commentsUnder } from '../comments/comment.ts';
import type { DiffView } from '../diff-view.ts';
import type { Entry, LineEntry, Row } from '../entries.ts';
import type { DiffFile } from '../parse/diff-file.ts';
import { commentLines, saidLines } from './comment-lines.ts';
import { cuts, type Piece, spansBetween } from './fit.ts';
import type { Frame } from './frame.ts';
import { listPieces, SIGN_STYLES } from './line-pieces.ts';
import { shownLine, shownName } from './shown-line.ts';

const DIM: Style = { color: 'gray' };

/** One row of the diff with the comments under it, as many lines as they take. */
export function drawRow(diff: DiffView, frame: Frame, index: number): readonly Line[] {
  const row = frame.all.at(index);
  const entries = [...new Set([row.old, row.now])].flatMap((at) => (at === undefined ? [] : [at]));
  const mark = drawMark(diff, entries);
  const content = drawContent(diff, frame, row).map((line, at): Line => cutLine([at === 0 ? mark : { text: ' ' }, ...line], frame.columns));
  return [...content, ...linesUnder(diff, entries, frame.columns)];
}

/** What was said about these entries in the last rejection, then the comments that are not sent. */
function linesUnder(diff: DiffView, entries: readonly number[], columns: number): readonly Line[] {
  if (diff.said.length === 0 && diff.comments.length === 0) return [];
  return entries.flatMap((at) => [
    ...commentsUnder({ ...diff, comments: diff.said }, at).flatMap((said) => saidLines(said, diff.scope, columns)),
    ...commentsUnder(diff, at).flatMap((comment) => commentLines(comment, diff, columns)),
  ]);
}

function entryAt({ entries }: DiffView, at: number): Entry {
  const entry = entries[at];
  if (entry === undefined) throw new RangeError(`no entry ${at} in a diff of ${entries.length}`);
  return entry;
}

/** `>` at the cursor, `*` in a selection, also at the cursor, which is inverse: readable without colours. */
function drawMark({ cursor, selectedFrom, focus }: DiffView, entries: readonly number[]): Span {
  const [first, last] = [Math.min(cursor, selectedFrom ?? cursor), Math.max(cursor, selectedFrom ?? cursor)];
  const isSelected = selectedFrom !== undefined && entries.some((at) => at >= first && at <= last);
  if (entries.includes(cursor)) return { text: isSelected ? '*' : '>', style: focus === 'lines' ? { bold: true, inverse: true } : DIM };
  return isSelected ? { text: '*', style: { bold: true } } : { text: ' ' };
}

function drawContent(diff: DiffView, frame: Frame, { old, now }: Row): readonly Line[] {
  const columns = frame.columns - 1;
  const left = old === undefined ? undefined : entryAt(diff, old);
  const right = now === undefined ? undefined : entryAt(diff, now);
  const whole = right ?? left;
  if (whole === undefined) return [[]];
  if (whole.kind !== 'line') return [entryLine(whole)];
  if (!frame.isSide) return lineRows(diff, frame, whole, columns, 'both');
  const half = Math.floor((columns - 1) / 2);
  const sides = [
    left?.kind === 'line' ? lineRows(diff, frame, left, half, 'old') : [],
    right?.kind === 'line' ? lineRows(diff, frame, right, columns - 1 - half, 'new') : [],
  ] as const;
  const rows = Math.max(sides[0].length, sides[1].length);
  return Array.from({ length: rows }, (_, at) => [
    ...fitLine(sides[0][at] ?? [], half),
    { text: '│', style: DIM },
    ...(sides[1][at] ?? []),
  ]);
}

function entryLine(entry: Exclude<Entry, LineEntry>): Line {
  switch (entry.kind) {
    case 'file':
      return fileLine(entry.file);
    case 'note':
      return [{ text: `  ${shownName(entry.text)}`, style: DIM }];
    case 'hunk': {
      const { before, after, heading, lines } = entry.hunk;
      const count = (side: 'before' | 'after') => lines.reduce((sum, line) => (line[side] === undefined ? sum : sum + 1), 0);
      const range = `@@ -${before},${count('before')} +${after},${count('after')} @@`;
      return [
        { text: range, style: { color: 'cyan' } },
        { text: heading === '' ? '' : ` ${shownName(heading)}`, style: DIM },
      ];
    }
  }
}

/** The letter of git, the name and the counts of a file. */
export function fileLine({ status, path, added, removed }: DiffFile): Line {
  return [
    { text: `${status} `, style: { color: 'yellow' } },
    { text: shownName(path), style: { bold: true, underline: true } },
    ...countSpans(added, removed),
  ];
}

export const countSpans = (added: number, removed: number): readonly Span[] => [
  { text: ` +${added}`, style: { color: 'green' } },
  { text: ` -${removed}`, style: { color: 'red' } },
];

/** The numbers of a line, its sign and its text, wrapped or scrolled to the side. */
function lineRows(diff: DiffView, frame: Frame, entry: LineEntry, columns: number, side: Side): readonly Line[] {
  const { sign, before, after } = entry.line;
  const numbers = side === 'both' ? [before, after] : [side === 'old' ? before : after];
  const gutter = frame.digits === 0 ? '' : numbers.map((number) => `${String(number ?? '').padStart(frame.digits)} `).join('');
  const { text, length, more } = lineText(entry);
  const pieces = [...listPieces(entry, text.slice(0, length)), { end: text.length, style: { color: 'cyan' as const } }];
  return textRows(diff, frame, { text, length, more, pieces }, roomFor(frame, columns, side)).map((line, at): Line => {
    // Another sign than those of lines: the rest of a long line must not pass for a line.
    const start = at === 0 ? { text: sign, style: { ...SIGN_STYLES[sign], bold: sign !== ' ' } } : { text: '↳', style: DIM };
    return cutLine([{ text: at === 0 ? gutter : ' '.repeat(gutter.length), style: DIM }, start, ...line], columns);
  });
}

type Side = 'both' | 'old' | 'new';

const roomFor = ({ digits }: Frame, columns: number, side: Side): number =>
  Math.max(1, columns - 1 - (digits === 0 ? 0 : (digits + 1) * (side === 'both' ? 2 : 1)));

interface LineText {
  /** The line, and what llmc says about its end. */
  readonly text: string;
  /** The length of the line alone. */
  readonly length: number;
  /** Characters of the line that no key shows. */
  readonly more: number;
}

function lineText({ line, file }: LineEntry): LineText {
  const { text, more } = shownLine(line.text, file.isWindows);
  const cut = more === 0 ? '' : ` … ${more} more characters, in full: llmc diff`;
  return { text: `${text}${cut}${line.endsBare === true ? ' (no line feed at the end)' : ''}`, length: text.length, more };
}

/** A line may not fill the screen: what follows it could not be reached. */
const mostRows = ({ rows }: Frame): number => Math.max(2, Math.floor(rows / 2));

function textRows(
  { isWrapped, left }: DiffView,
  frame: Frame,
  { text, length, more, pieces }: LineText & { readonly pieces: readonly Piece[] },
  columns: number,
): readonly Line[] {
  if (!isWrapped) {
    const start = left === 0 ? 0 : (cuts(text, left)[0] ?? 0);
    return [cutLine(spansBetween(text, pieces, start, text.length), columns)];
  }
  const ends = cuts(text, columns);
  const most = mostRows(frame);
  const rows = ends.slice(0, most).map((end, at) => spansBetween(text, pieces, ends[at - 1] ?? 0, end));
  if (ends.length <= most) return rows;
  const hidden = Math.max(0, length - (ends[most - 1] ?? 0)) + more;
  return [...rows, cutLine([{ text: `… ${hidden} more characters: W`, style: { color: 'cyan' } }], columns)];
}

/** How many lines `drawRow` returns, without colouring them. */
export function countRowLines(diff: DiffView, frame: Frame, index: number): number {
  const { old, now } = frame.all.at(index);
  const entries = [...new Set([old, now])].flatMap((at) => (at === undefined ? [] : [at]));
  const comments = linesUnder(diff, entries, frame.columns).length;
  if (!diff.isWrapped) return 1 + comments;
  const columns = frame.columns - 1;
  const half = Math.floor((columns - 1) / 2);
  const height = (at: number | undefined, room: number, side: Side): number => {
    const entry = at === undefined ? undefined : diff.entries[at];
    return entry?.kind === 'line' ? Math.min(mostRows(frame) + 1, cuts(lineText(entry).text, roomFor(frame, room, side)).length) : 1;
  };
  if (!frame.isSide) return height(now, columns, 'both') + comments;
  return Math.max(height(old, half, 'old'), height(now, columns - 1 - half, 'new')) + comments;
}
