import { visibleText } from '../../../base/visible-text.ts';
import { cutLine } from '../../screen/fit.ts';
import type { Line } from '../../screen/line.ts';
import type { Comment } from '../comments/comment.ts';
import { quotedWords } from '../comments/notes.ts';
import { wrapped } from './head.ts';
import { shownName } from './shown-line.ts';

const INDENT = '  │ ';

/** A comment under its line. One that lost its line says where it was. */
export function commentLines(comment: Comment, columns: number): readonly Line[] {
  const about = comment.isLost
    ? [`Lost its place: was about ${placeWords(comment)}`]
    : comment.from === comment.to
      ? []
      : [`About ${linesOf(comment)}`];
  const room = Math.max(1, columns - INDENT.length);
  const rows = [
    ...about.flatMap((line) => wrapped(line, room, { color: 'yellow', bold: true })),
    ...visibleText(comment.text)
      .replaceAll('\t', ' ')
      .split(/\r?\n/)
      .flatMap((line) => wrapped(line, room, { bold: true })),
  ];
  return rows.map((row) => cutLine([{ text: INDENT, style: { color: 'yellow' } }, ...row], columns));
}

const linesOf = ({ from, to }: Comment): string => (from === to ? `line ${to}` : `lines ${from} to ${to}`);

function placeWords(comment: Comment): string {
  const { path, side, quoted } = comment;
  const where = side === 'file' ? '' : `${side === 'old' ? 'removed ' : ''}${linesOf(comment)}${quotedWords(quoted)} of `;
  return `${where}${shownName(path)}`;
}
