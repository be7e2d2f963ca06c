import type { ChangedFile } from './changed-files.ts';

/** The part of a diff about one file. */
export interface Section {
  readonly file: ChangedFile | undefined;
  readonly text: string;
}

/** Git prints a file that changes its type twice: deleted, then created. */
export const countSections = ({ status, onlyWhitespace }: ChangedFile): number => (onlyWhitespace ? 0 : status === 'T' ? 2 : 1);

/** Git prints the files in the order of `files`. */
export function splitSections(diff: string, files: readonly ChangedFile[]): Section[] {
  const order = files.flatMap((file) => Array.from({ length: countSections(file) }, () => file));
  // Every line of a file's content has a sign before it. Not a regular expression: its `^` also matches after a carriage return.
  return `\n${diff}`
    .split('\ndiff --git ')
    .slice(1)
    .map((text, index, all) => ({
      file: order[index],
      text: `diff --git ${text}${index < all.length - 1 ? '\n' : ''}`,
    }));
}

export interface AddedLine {
  readonly number: number;
  readonly text: string;
}

/** The lines that a section adds, with their numbers in the new file. */
export function addedLines(section: string): readonly AddedLine[] {
  return linesAfter(section).filter(({ isAdded }) => isAdded);
}

/** The numbers of the lines that a section shows: those of the new file, or of the old one if the file is deleted. */
export function shownLines(section: string): readonly number[] {
  const after = linesAfter(section).map(({ number }) => number);
  if (after.length > 0) return after;
  const [, first = '0', count = '1'] = /^@@ -(\d+)(?:,(\d+))? \+0,0 @@/m.exec(section) ?? [];
  return Array.from({ length: first === '0' ? 0 : Number(count) }, (_, index) => Number(first) + index);
}

interface LineAfter extends AddedLine {
  readonly isAdded: boolean;
}

/** Every line that a section shows of the new file. */
export function linesAfter(section: string): readonly LineAfter[] {
  const lines: LineAfter[] = [];
  let next = 0;
  let inHunk = false;
  // The last line feed ends a line and does not begin one. An empty line can be one of the file (diff.suppressBlankEmpty).
  for (const line of section.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -\S+ \+(\d+)/.exec(line);
    if (hunk !== null) {
      next = Number(hunk[1]);
      inHunk = true;
    } else if (inHunk && !line.startsWith('-') && !line.startsWith('\\')) {
      lines.push({ number: next, text: line.slice(1), isAdded: line.startsWith('+') });
      next += 1;
    }
  }
  return lines;
}
