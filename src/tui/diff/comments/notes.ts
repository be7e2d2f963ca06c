import { showsNothing } from '../../../base/shows-nothing.ts';
import { cutToWidth } from '../../../base/text-width.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import type { Note } from '../../model/effect.ts';
import type { DiffView } from '../diff-view.ts';
import type { DiffFile } from '../parse/diff-file.ts';
import { type Comment, lineFor, moved } from './comment.ts';

/** All comments whose file is still in the change, in the order of the diff, as notes for `reject`. */
export function toNotes(diff: DiffView): readonly Note[] {
  const paths = new Set(diff.whole.map(({ path }) => path));
  const placed = diff.comments.map((comment) => inWhole(diff, comment));
  return [...paths].flatMap((path) =>
    placed
      .filter((comment) => comment.path === path)
      .toSorted(byLine)
      .map((comment) => toNote(diff, comment)),
  );
}

/** A comment on a line that the pane does not show may be about one of the whole change. */
function inWhole({ scope, whole }: DiffView, comment: Comment): Comment {
  return scope === 'since' && comment.isLost ? moved(comment, whole) : comment;
}

/** What to say in a rejection about comments whose file is no longer in the change; empty if there are none. */
export function lostFeedback({ whole, comments }: DiffView): string {
  return comments
    .filter(({ path }) => !whole.some((file) => file.path === path))
    .map(({ path, to, quoted, text }) => `About ${path}:${to}${quotedWords(quoted)}, which is no longer part of the change: ${text}`)
    .join('\n\n');
}

const byLine = (one: Comment, other: Comment): number => one.to - other.to;

export function toNote({ files, whole }: DiffView, comment: Comment): Note {
  const ofIts = (all: readonly DiffFile[]) => all.filter(({ path }) => path === comment.path);
  return { at: `${comment.path}:${lineFor(comment, ofIts(files), ofIts(whole))}`, text: `${about(comment)}${comment.text}` };
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

/** Stores what the person wrote about the place that the pane asked for. An empty text removes the comment. */
export function withComment(diff: DiffView, text: string): DiffView {
  const { asked } = diff;
  if (asked === undefined) return diff;
  const others = diff.comments.filter(({ id }) => id !== asked.id);
  const comments = showsNothing(text) ? others : [...others, { ...asked, text: text.trim() }];
  return { ...diff, comments, asked: undefined, selectedFrom: undefined };
}
