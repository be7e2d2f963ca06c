import { cutLine, fitLine, fitRows } from '../../screen/fit.ts';
import type { Line, Size } from '../../screen/line.ts';
import type { DiffView } from '../diff-view.ts';
import { settled } from '../settle.ts';
import { findScope } from '../shown-work.ts';
import { commentLines, saidLines } from './comment-lines.ts';
import { type Frame, makeFrame } from './frame.ts';
import { compactHead, wholeHead } from './head.ts';
import { drawRow, fileLine } from './row.ts';
import { treeLines } from './tree-lines.ts';

/** Exactly as many lines as the size has rows, none wider than it. Only what is visible is wrapped and coloured. */
export function drawDiff(view: DiffView, size: Size): readonly Line[] {
  const diff = settled(view, size);
  const lines = diff.focus === 'head' ? wholeHead(diff.shown, size.columns).slice(diff.headTop) : paneLines(diff, size);
  return fitRows(lines, Math.max(0, size.rows)).map((line) => cutLine(line, size.columns));
}

function paneLines(diff: DiffView, size: Size): readonly Line[] {
  const frame = makeFrame(diff, size);
  const head = compactHead(diff.shown, frame.headRows, size.columns);
  if (diff.focus === 'files' && frame.treeColumns === 0) return [...head, ...treeLines(diff, size.columns, size.rows - frame.headRows)];
  const rows = frame.rows + frame.titleRows;
  const body = diff.entries.length === 0 ? withoutLines(diff, frame) : [...titleLines(diff, frame), ...bodyLines(diff, frame)];
  if (frame.treeColumns === 0) return [...head, ...body];
  const tree = treeLines(diff, frame.treeColumns - 1, rows);
  const beside = Array.from(
    { length: rows },
    (_, row): Line => [...fitLine(tree[row] ?? [], frame.treeColumns - 1), { text: '│', style: { color: 'gray' } }, ...(body[row] ?? [])],
  );
  return [...head, ...beside];
}

function bodyLines(diff: DiffView, frame: Frame): readonly Line[] {
  const lines: Line[] = [];
  for (let row = frame.all.rowOf(diff.top); row < frame.all.count && lines.length < frame.rows; row += 1)
    lines.push(...drawRow(diff, frame, row));
  return lines.slice(0, frame.rows);
}

/** Where the person is: the file, its number among all, how many lines are selected, and how many comments a rejection would carry. */
function titleLines(diff: DiffView, { titleRows, columns }: Frame): readonly Line[] {
  const file = diff.entries[diff.cursor]?.file;
  if (titleRows === 0 || file === undefined) return [];
  const lost = diff.comments.filter(({ isLost }) => isLost).length;
  const place = [
    `${diff.files.indexOf(file) + 1}/${diff.files.length}`,
    ...scopeWords(diff),
    ...(diff.selectedFrom === undefined ? [] : [`${Math.abs(diff.selectedFrom - diff.cursor) + 1} selected`]),
    ...(diff.shown.ignores_whitespace ? ['white space ignored'] : []),
    ...(diff.comments.length === 0 ? [] : [`${diff.comments.length} ${diff.comments.length === 1 ? 'comment' : 'comments'}`]),
    ...(lost === 0 ? [] : [`${lost} whose line changed`]),
  ].join(' · ');
  return [cutLine([{ text: `${place} `, style: { inverse: true } }, { text: ' ' }, ...fileLine(file)], columns)];
}

/** Which part of the work is shown, and how to see the other. */
function scopeWords({ shown, scope }: DiffView): readonly string[] {
  if (scope === 'since') return ['since your last review (t: all)'];
  if (findScope(shown, 'since') !== undefined) return ['all of it (t: since your last review)'];
  return shown.kind === 'work' && shown.since?.reviewed != null ? ['all of it: not comparable with your last review'] : [];
}

/** Says that nothing changed, unless the head does. Comments are never dropped. */
function withoutLines(diff: DiffView, { columns }: Frame): readonly Line[] {
  const { shown, comments, said, scope } = diff;
  const text = scope === 'since' ? 'Nothing has changed since your last review. t: the whole change' : 'No changes.';
  return [
    ...(shown.kind === 'now' ? [] : [[{ text }]]),
    ...said.flatMap((each) => saidLines(each, scope, columns)),
    ...comments.flatMap((comment) => commentLines(comment, diff, columns)),
  ];
}
