import type { Problem } from './problem.ts';
import { type Mark, scanToml } from './toml/positions.ts';

export interface LocatedProblem {
  /** Both count from 1; columns in UTF-16 units, as editors do. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Adds positions to problems and sorts them by position. The text must be valid TOML. */
export function locate(text: string, problems: readonly Problem[]): readonly LocatedProblem[] {
  const first = new Map<string, Mark>();
  for (const mark of scanToml(text).marks) {
    const id = JSON.stringify(mark.path);
    if (!first.has(id)) first.set(id, mark);
  }
  return problems
    .map((problem) => ({ problem, offset: offsetOf(problem, first) }))
    .sort((left, right) => left.offset - right.offset)
    .map(({ problem, offset }) => ({ ...lineAndColumn(text, offset), message: problem.message }));
}

/** The position of a problem; for a missing key, the position of the nearest enclosing table. */
function offsetOf(problem: Problem, marks: ReadonlyMap<string, Mark>): number {
  for (let length = problem.path.length; length > 0; length -= 1) {
    const mark = marks.get(JSON.stringify(problem.path.slice(0, length)));
    if (mark !== undefined) return problem.about === 'value' && length === problem.path.length ? mark.valueAt : mark.keyAt;
  }
  return 0;
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}
