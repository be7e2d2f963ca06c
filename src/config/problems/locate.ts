import type { Problem } from './problem.ts';

/** The offsets of a key and its value in the text of a file. */
export interface Mark {
  readonly path: readonly (string | number)[];
  /** The last segment of the key, or the element itself for a member of an array. */
  readonly keyAt: number;
  /** The value; for a table, its key. */
  readonly valueAt: number;
  /** Just past the value; for a table, just past its key. */
  readonly end: number;
}

export interface LocatedProblem {
  /** Both count from 1; columns in UTF-16 units, as editors do. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Adds positions to problems and sorts them by position. */
export function locate(text: string, marks: readonly Mark[], problems: readonly Problem[]): readonly LocatedProblem[] {
  const first = new Map<string, Mark>();
  for (const mark of marks) {
    const id = JSON.stringify(mark.path);
    if (!first.has(id)) first.set(id, mark);
  }
  const lineAndColumn = positionsIn(text);
  return problems
    .map((problem) => ({ problem, offset: locateProblem(problem, first, text) }))
    .sort((left, right) => left.offset - right.offset)
    .map(({ problem, offset }) => ({ ...lineAndColumn(offset), message: problem.message }));
}

/** The position of a problem; for a missing key, the position of the nearest enclosing table. */
function locateProblem(problem: Problem, marks: ReadonlyMap<string, Mark>, text: string): number {
  for (let length = problem.path.length; length > 0; length -= 1) {
    const mark = marks.get(JSON.stringify(problem.path.slice(0, length)));
    if (mark === undefined) continue;
    if (problem.about !== 'value' || length < problem.path.length) return mark.keyAt;
    const within = problem.excerpt === undefined ? -1 : text.slice(mark.valueAt, mark.end).indexOf(problem.excerpt);
    return within === -1 ? mark.valueAt : mark.valueAt + within;
  }
  return 0;
}

/** Finds the line and the column of an offset. The lines are counted once: a file can have thousands of problems. */
export function positionsIn(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
