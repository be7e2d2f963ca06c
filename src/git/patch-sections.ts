import type { ChangedFile } from './changed-files.ts';

/** The part of a diff about one file. */
export interface Section {
  readonly file: ChangedFile | undefined;
  readonly text: string;
}

/** Git prints a file that changes its type twice: deleted, then created. */
export const sectionsOf = (file: ChangedFile): number => (file.status === 'T' ? 2 : 1);

/** Git prints the files in the order of `files`. */
export function splitSections(diff: string, files: readonly ChangedFile[]): Section[] {
  const order = files.flatMap((file) => Array.from({ length: sectionsOf(file) }, () => file));
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
  const lines: AddedLine[] = [];
  let next = 0;
  let inHunk = false;
  for (const line of section.split('\n')) {
    const hunk = /^@@ -\S+ \+(\d+)/.exec(line);
    if (hunk !== null) {
      next = Number(hunk[1]);
      inHunk = true;
    } else if (inHunk && !line.startsWith('-') && !line.startsWith('\\')) {
      if (line.startsWith('+')) lines.push({ number: next, text: line.slice(1) });
      next += 1;
    }
  }
  return lines;
}
