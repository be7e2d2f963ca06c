import type { LineSurroundings } from '../../../store/tables/drafts.ts';
import type { Entry } from '../entries.ts';
import type { DiffFile } from '../parse/diff-file.ts';
import type { PatchLine } from '../parse/patch.ts';

/** What a person says about lines of the change. */
export interface Comment {
  /** Of its draft; empty until the view has chosen one. */
  readonly id: string;
  readonly path: string;
  readonly side: 'old' | 'new' | 'file';
  /** The first and the last line, in the file of that side. Drawn under the last. */
  readonly from: number;
  readonly to: number;
  /** The last line as the diff has it. */
  readonly quoted: string;
  /** Undefined for a file, and for a remark that was sent. */
  readonly around?: LineSurroundings | undefined;
  readonly text: string;
  /** The diff no longer has this line. */
  readonly isLost: boolean;
}

/** The place of a comment on one entry, or on those from another one up to it. Entries of other files do not count. */
export function placeAt(entries: readonly Entry[], cursor: number, other = cursor): Comment | undefined {
  const entry = entries[cursor];
  if (entry === undefined) return undefined;
  const { file } = entry;
  const chosen = entries.slice(Math.min(cursor, other), Math.max(cursor, other) + 1).filter((each) => each.file === file);
  const lines = chosen.flatMap((each) => (each.kind === 'line' ? [each.line] : []));
  if (lines.length === 0 && entry.kind === 'hunk') lines.push(...entry.hunk.lines.slice(0, 1));
  const side = lines.some(({ after }) => after !== undefined) ? 'new' : 'old';
  const numbered = lines.flatMap(({ before, after, text }) => {
    const number = side === 'new' ? after : before;
    return number === undefined ? [] : [{ number, text }];
  });
  const [first, last] = [numbered[0], numbered.at(-1)];
  const place = { id: '', path: file.path, text: '', isLost: false };
  if (first === undefined || last === undefined) return { ...place, side: 'file', from: 1, to: 1, quoted: '' };
  const around = linesOn(side, [file]).find(({ number }) => number === last.number)?.around;
  return { ...place, side, from: first.number, to: last.number, quoted: last.text, around };
}

interface Commented {
  readonly files: readonly DiffFile[];
  readonly entries: readonly Entry[];
  readonly comments: readonly Comment[];
}

/** The comments that are drawn under an entry. Those whose file is gone are under the first one. */
export function commentsUnder({ files, entries, comments }: Commented, at: number): readonly Comment[] {
  const entry = entries[at];
  if (entry === undefined || comments.length === 0) return [];
  const own = comments.filter((comment) => isUnder(comment, entry));
  return at > 0 ? own : [...own, ...comments.filter(({ path }) => !files.some((file) => file.path === path))];
}

function isUnder(comment: Comment, entry: Entry): boolean {
  if (comment.path !== entry.file.path) return false;
  if (comment.isLost || comment.side === 'file') return entry.kind === 'file';
  if (entry.kind !== 'line') return false;
  const { sign, before, after } = entry.line;
  return comment.side === 'new' ? after === comment.to : sign === '-' && before === comment.to;
}

/**
 * The line of the reviewed diff that `reject` accepts for this comment: of the new file, or of the old one if nothing else is shown.
 * @param shown what the person saw, @param whole the reviewed diff of the same file.
 */
export function lineFor({ side, to }: Comment, shown: readonly DiffFile[], whole: readonly DiffFile[]): number {
  const lines = whole.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const after = lines.flatMap((line) => (line.after === undefined ? [] : [line.after]));
  const numbers = after.length > 0 ? after : lines.flatMap((line) => (line.before === undefined ? [] : [line.before]));
  const wanted =
    side === 'old' && after.length > 0
      ? newNumberNear(
          shown.flatMap(({ hunks }) => hunks),
          to,
        )
      : to;
  return numbers.reduce((best, each) => (Math.abs(each - wanted) < Math.abs(best - wanted) ? each : best), numbers[0] ?? to);
}

/** Where a removed line would be in the new file. */
function newNumberNear(hunks: readonly DiffFile['hunks'][number][], removed: number): number {
  for (const { lines, after } of hunks) {
    const at = lines.findIndex(({ sign, before }) => sign === '-' && before === removed);
    if (at === -1) continue;
    return (
      lines.slice(at).find((line) => line.after !== undefined)?.after ??
      lines.slice(0, at).findLast((line) => line.after !== undefined)?.after ??
      after
    );
  }
  return removed;
}

/** The comment at its line, which may have another number. Without the line it keeps its place, and is shown as lost. */
export function moved(comment: Comment, files: readonly DiffFile[]): Comment {
  const inFile = files.filter(({ path }) => path === comment.path);
  if (comment.side === 'file') return { ...comment, isLost: inFile.length === 0 };
  const there = linesOn(comment.side, inFile).filter(({ text }) => text === comment.quoted);
  const [first, ...others] = there.filter((line) => isSameLine(comment, line, there.length));
  if (first === undefined) return { ...comment, isLost: true };
  const away = ({ number }: NumberedLine) => Math.abs(number - comment.to);
  const { number: to } = others.reduce((best, each) => (away(each) < away(best) ? each : best), first);
  return { ...comment, from: Math.max(1, comment.from + to - comment.to), to, isLost: false };
}

/** Several lines may have the same text, such as a brace: then the lines around them tell which one was meant. */
function isSameLine({ around }: Comment, line: NumberedLine, count: number): boolean {
  if (around === undefined || (around.isOnly && count === 1)) return true;
  const pairs = [
    [around.above, line.around.above],
    [around.below, line.around.below],
  ];
  // A hunk may end before such a line, so a missing one proves nothing.
  return pairs.every(([was, is]) => was === null || is === null || was === is) && pairs.some(([was, is]) => was !== null && was === is);
}

interface NumberedLine {
  readonly number: number;
  readonly text: string;
  readonly around: LineSurroundings;
}

/** The lines that a comment on this side can be about. */
function linesOn(side: 'old' | 'new', files: readonly DiffFile[]): readonly NumberedLine[] {
  const hunks = files.flatMap((file) => file.hunks.map(({ lines }) => lines.filter((line) => isOn(side, line))));
  const texts = hunks.flat().map(({ text }) => text);
  return hunks.flatMap((lines) =>
    lines.flatMap(({ text, before, after, sign }, at) => {
      const number = side === 'new' ? after : before;
      if (number === undefined || (side === 'old' && sign !== '-')) return [];
      const above = lines.slice(0, at).findLast(hasWords)?.text ?? null;
      const below = lines.slice(at + 1).find(hasWords)?.text ?? null;
      const isOnly = hasWords({ text }) && texts.filter((each) => each === text).length === 1;
      return [{ number, text, around: { above, below, isOnly } }];
    }),
  );
}

const isOn = (side: 'old' | 'new', { before, after }: PatchLine): boolean => (side === 'new' ? after : before) !== undefined;

/** A brace or an empty line says nothing about where it is. */
export const hasWords = ({ text }: { readonly text: string }): boolean => /[\p{L}\p{N}]/u.test(text);
