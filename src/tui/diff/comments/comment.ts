import type { Entry } from '../entries.ts';
import type { DiffFile } from '../parse/diff-file.ts';

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
  return { ...place, side, from: first.number, to: last.number, quoted: last.text };
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

/** The comment at its line: the nearest one with the same text. Without one it keeps its place, and is shown as lost. */
export function moved(comment: Comment, files: readonly DiffFile[]): Comment {
  const inFile = files.filter(({ path }) => path === comment.path);
  if (comment.side === 'file') return { ...comment, isLost: inFile.length === 0 };
  const numbers = inFile.flatMap(({ hunks }) =>
    hunks.flatMap(({ lines }) =>
      lines.flatMap(({ sign, text, before, after }) => {
        const number = comment.side === 'new' ? after : sign === '-' ? before : undefined;
        return number === undefined || text !== comment.quoted ? [] : [number];
      }),
    ),
  );
  const [first, ...others] = numbers;
  if (first === undefined) return { ...comment, isLost: true };
  const to = others.reduce((best, each) => (Math.abs(each - comment.to) < Math.abs(best - comment.to) ? each : best), first);
  return { ...comment, from: Math.max(1, comment.from + to - comment.to), to, isLost: false };
}
