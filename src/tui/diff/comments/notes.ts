import { showsNothing } from '../../../base/shows-nothing.ts';
import { cutToWidth } from '../../../base/text-width.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import type { DiffView } from '../diff-view.ts';
import { type Comment, isSamePlace, lineFor, placeAt } from './comment.ts';

/** A remark as the `reject` operation takes it. */
export interface Note {
  readonly at: string;
  readonly text: string;
}

/** All comments whose file is still in the change, in the order of the diff, as notes for `reject`. */
export function commentsOf(diff: DiffView): readonly Note[] {
  const paths = new Set(diff.files.map(({ path }) => path));
  return [...paths].flatMap((path) =>
    diff.comments
      .filter((comment) => comment.path === path)
      .toSorted(byLine)
      .map((comment) => noteOf(diff, comment)),
  );
}

/** What to say in a rejection about comments whose file is no longer in the change; empty if there are none. */
export function lostFeedback({ files, comments }: DiffView): string {
  return comments
    .filter(({ path }) => !files.some((file) => file.path === path))
    .map(({ path, to, quoted, text }) => `About ${path}:${to}${quotedWords(quoted)}, which is no longer part of the change: ${text}`)
    .join('\n\n');
}

const byLine = (one: Comment, other: Comment): number => one.to - other.to;

export function noteOf({ files }: DiffView, comment: Comment): Note {
  const line = lineFor(
    comment,
    files.filter(({ path }) => path === comment.path),
  );
  return { at: `${comment.path}:${line}`, text: `${about(comment)}${comment.text}` };
}

/** The place of a note is one line of the new file, so the text says what else was meant. */
function about({ side, from, to, quoted, isLost }: Comment): string {
  const lines = from === to ? `line ${to}` : `lines ${from} to ${to}`;
  if (isLost) return `(was about ${lines}${quotedWords(quoted)}) `;
  if (side === 'file') return '(about the whole file) ';
  if (side === 'old') return `(about the removed ${lines}${quotedWords(quoted)}) `;
  return from === to ? '' : `(about ${lines}) `;
}

export function quotedWords(quoted: string): string {
  const text = cutToWidth(visibleLine(quoted).trim(), 60);
  return text === '' ? '' : ` "${text}"`;
}

/** Stores what the person wrote about a place that a wish named. An empty text removes the comment. */
export function withComment(diff: DiffView, at: string, text: string): DiffView {
  const place = diff.asked !== undefined && noteOf(diff, diff.asked).at === at ? diff.asked : placeFrom(diff, at);
  const others = diff.comments.filter((each) => !isSamePlace(each, place));
  const comments = showsNothing(text) ? others : [...others, { ...place, text: text.trim() }];
  return { ...diff, comments, asked: undefined, selectedFrom: undefined };
}

function placeFrom({ entries }: DiffView, at: string): Comment {
  const colon = at.lastIndexOf(':');
  const [path, line] = [at.slice(0, colon), Number(at.slice(colon + 1))];
  const entry = entries.findIndex((each) => each.kind === 'line' && each.file.path === path && each.line.after === line);
  return placeAt(entries, entry) ?? { path, side: 'new', from: line, to: line, quoted: '', text: '', isLost: true };
}
