import type { Surplus } from './compare-counts.ts';
import type { OneSide } from './proof.ts';
import type { FileFindings } from './prove-one.ts';
import { listLines, type TreeFile } from './tree-file.ts';
import { countEach, isBlank, minus } from './words.ts';

type Files = ReadonlyMap<string, ReadonlySet<TreeFile>>;

/** Which files a side added a line to, and which it deleted it from. */
export interface SideMoves {
  readonly added: Readonly<Record<OneSide, Files>>;
  readonly deleted: Readonly<Record<OneSide, Files>>;
}

export function sideMoves(files: readonly TreeFile[]): SideMoves {
  const collect = (side: OneSide, from: 'base' | OneSide, to: 'base' | OneSide): Files => {
    const found = new Map<string, Set<TreeFile>>();
    for (const file of files) {
      if (file[side]?.id === file.base?.id) continue;
      for (const text of minus(lineCounts(file, from), lineCounts(file, to)).keys())
        found.set(text, (found.get(text) ?? new Set()).add(file));
    }
    return found;
  };
  return {
    added: { main: collect('main', 'main', 'base'), worker: collect('worker', 'worker', 'base') },
    deleted: { main: collect('main', 'base', 'main'), worker: collect('worker', 'base', 'worker') },
  };
}

const lineCounts = (file: TreeFile, version: 'base' | OneSide) =>
  countEach(
    listLines(file[version])
      .map((line) => line.replace(/\r$/, ''))
      .filter((line) => !isBlank(line)),
  );

export const isElsewhere = (files: Files, text: string, here: TreeFile): boolean =>
  [...(files.get(text) ?? [])].some((file) => file !== here);

/** A side moved the line to this file, and the other side deleted or changed it at its old place: the result need not have it. */
export function isDeletedBeforeMove({ deleted }: SideMoves, mover: OneSide, text: string, here: TreeFile): boolean {
  const other = mover === 'main' ? 'worker' : 'main';
  return [...(deleted[mover].get(text) ?? [])].some((file) => file !== here && deleted[other].get(text)?.has(file) === true);
}

/** Lines of the result that neither side has in their file: where lines of other files may have moved to. */
export class MovePool {
  private readonly lines: ReadonlyMap<string, { readonly path: string; readonly line: Surplus }[]>;
  private readonly taken = new Set<Surplus>();

  constructor(findings: readonly FileFindings[]) {
    const all = findings.flatMap(({ file: { result }, lines }) =>
      result === null ? [] : (lines?.movable ?? []).map((line) => ({ path: result.path, line })),
    );
    this.lines = Map.groupBy(all, ({ line }) => line.text.trimStart());
  }

  /** Takes the line out of the pool and returns the file that has it, or undefined. */
  take(text: string, from: string | undefined): string | undefined {
    const found = this.lines.get(text.trimStart())?.find(({ path, line }) => path !== from && !this.taken.has(line));
    if (found !== undefined) this.taken.add(found.line);
    return found?.path;
  }

  isTaken(line: Surplus): boolean {
    return this.taken.has(line);
  }
}
