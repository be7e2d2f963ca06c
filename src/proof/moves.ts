import type { OneSide } from './compare-counts.ts';
import type { FileFindings } from './prove-one.ts';
import { linesOf, type TreeFile } from './tree-file.ts';
import { countsOf, isBlank, minus, wordsOf } from './words.ts';

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
  countsOf(
    linesOf(file[version])
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

/** Lines that files of the result have more often than they should: where lines of other files may have moved to. */
export class MovePool {
  /** How often each file has the words, by the words. */
  private readonly files = new Map<string, Map<string, number>>();

  constructor(findings: readonly FileFindings[]) {
    for (const { file, lines } of findings)
      for (const { text, deletedBy } of lines?.surplus ?? []) {
        const path = file.result?.path;
        if (deletedBy !== undefined || path === undefined) continue;
        const key = wordsOf(text).join(' ');
        const counts = this.files.get(key) ?? new Map<string, number>();
        this.files.set(key, counts.set(path, (counts.get(path) ?? 0) + 1));
      }
  }

  /** Takes the line out of the pool and returns the file that has it, or undefined. */
  take(text: string, from: string | undefined): string | undefined {
    const counts = this.files.get(wordsOf(text).join(' '));
    const [path, count] = [...(counts ?? [])].find(([path, count]) => count > 0 && path !== from) ?? [];
    if (path !== undefined && count !== undefined) counts?.set(path, count - 1);
    return path;
  }
}
