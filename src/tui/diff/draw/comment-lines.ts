import { visibleText } from '../../../base/visible-text.ts';
import { cutLine } from '../../screen/fit.ts';
import type { Color, Line } from '../../screen/line.ts';
import type { Comment } from '../comments/comment.ts';
import { quotedWords } from '../comments/notes.ts';
import type { DiffView } from '../diff-view.ts';
import type { DiffScope } from '../shown-work.ts';
import { wrapOneLine } from './head.ts';
import { shownName } from './shown-line.ts';

const INDENT = '  │ ';

/** A comment under its line. One whose line has changed says where it was. */
export function commentLines(comment: Comment, { scope }: Pick<DiffView, 'scope'>, columns: number): readonly Line[] {
  const about = comment.isLost ? [lostWords(comment, scope)] : comment.from === comment.to ? [] : [`About ${describeLines(comment)}`];
  return indented(about, comment.text, 'yellow', columns);
}

/** A remark of the last rejection, beside what the worker made of it. */
export function saidLines(said: Comment, scope: DiffScope, columns: number): readonly Line[] {
  const where = said.isLost ? ` of ${placeWords(said)}, ${scope === 'since' ? 'where nothing changed' : 'which has changed'}` : '';
  return indented([`You said${where}:`], said.text, 'cyan', columns);
}

function indented(about: readonly string[], text: string, color: Color, columns: number): readonly Line[] {
  const room = Math.max(1, columns - INDENT.length);
  const rows = [
    ...about.flatMap((line) => wrapOneLine(line, room, { color, bold: true })),
    ...visibleText(text)
      .replaceAll('\t', ' ')
      .split(/\r?\n/)
      .flatMap((line) => wrapOneLine(line, room, { bold: true })),
  ];
  return rows.map((row) => cutLine([{ text: INDENT, style: { color } }, ...row], columns));
}

function lostWords(comment: Comment, scope: DiffScope): string {
  if (comment.side === 'file') return `Its file is no longer part of the change: ${shownName(comment.path)}`;
  return scope === 'since'
    ? `About ${placeWords(comment)}, which is not shown here`
    : `Its line has changed: it was ${placeWords(comment)}`;
}

const describeLines = ({ from, to }: Comment): string => (from === to ? `line ${to}` : `lines ${from} to ${to}`);

function placeWords(comment: Comment): string {
  const { path, side, quoted } = comment;
  return `${side === 'old' ? 'removed ' : ''}${describeLines(comment)}${quotedWords(quoted)} of ${shownName(path)}`;
}
