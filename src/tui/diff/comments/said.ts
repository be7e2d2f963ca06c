import type { DiffFile } from '../parse/diff-file.ts';
import type { PatchLine } from '../parse/patch.ts';
import type { DiffScope, ShownWork } from '../shown-work.ts';
import { type Comment, hasWords } from './comment.ts';

/** The remarks of the last rejection, each at its line; the others are lost in this scope, and stand at their file. */
export function lastRemarks(shown: ShownWork, scope: DiffScope, files: readonly DiffFile[]): readonly Comment[] {
  const notes = shown.kind === 'work' ? (shown.since?.notes ?? []) : [];
  return notes.flatMap(({ at, text, quoted }) => {
    const [, path, line] = /^(.*):(\d+)$/s.exec(at) ?? [];
    if (path === undefined) return [];
    const to = Number(line);
    const note: Comment = { id: '', path, side: 'new', from: to, to, quoted, text, isLost: true };
    return [placed(note, scope, files)];
  });
}

/**
 * The reviewed work is the old side of what changed since then, and the new side of nothing else. Main may have moved the lines meanwhile, so
 * the text decides where only one line has it; else it must be the line with this number.
 */
function placed(note: Comment, scope: DiffScope, files: readonly DiffFile[]): Comment {
  const numberOf = ({ before, after }: PatchLine) => (scope === 'since' ? before : after);
  const lines = files
    .filter(({ path }) => path === note.path)
    .flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines))
    .filter((line) => numberOf(line) !== undefined && line.text === note.quoted);
  const [only] = lines;
  const found = lines.length === 1 && only !== undefined && hasWords(only) ? only : lines.find((line) => numberOf(line) === note.to);
  if (found === undefined) return note;
  const side = found.after === undefined ? 'old' : 'new';
  const to = found.after ?? found.before ?? note.to;
  return { ...note, side, from: to, to, isLost: false };
}
