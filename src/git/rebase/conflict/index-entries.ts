import { type GitCall, read, splitZ } from '../../run.ts';
import type { IndexStage } from './facts.ts';

/** One entry of the index, or of the list that merge-tree prints. */
export interface IndexEntry extends IndexStage {
  /** 0: merged, 1: base, 2: main's side, 3: the worker's side. */
  readonly stage: number;
  readonly path: string;
}

/** The versions of one path that is not merged. */
export interface IndexVersions {
  readonly base?: IndexStage;
  readonly main?: IndexStage;
  readonly worker?: IndexStage;
}

export const unmergedEntriesCall = (worktree: string): GitCall => read(worktree, 'ls-files', '--unmerged', '--full-name', '-z');
export const entriesCall = (worktree: string, paths: readonly string[]): GitCall =>
  read(worktree, 'ls-files', '--stage', '--full-name', '-z', '--', ...paths.map((path) => `:(top,literal)${path}`));

/** Reads `<mode> <hash> <stage>\t<path>`. A path can contain a tab or a line feed. */
export function parseEntry(record: string): IndexEntry | undefined {
  const [, mode, hash, stage, path] = /^(\d{6}) ([0-9a-f]{40,64}) ([0-3])\t(.+)$/s.exec(record) ?? [];
  return mode === undefined || hash === undefined || path === undefined ? undefined : { mode, hash, stage: Number(stage), path };
}

export function parseEntries(output: string): readonly IndexEntry[] {
  return splitZ(output).flatMap((record) => parseEntry(record) ?? []);
}

const SIDES = [undefined, 'base', 'main', 'worker'] as const;

/** Gathers the stages of each path, in the order of the list. */
export function byPath(entries: readonly IndexEntry[]): ReadonlyMap<string, IndexVersions> {
  const found = new Map<string, IndexVersions>();
  for (const { path, stage, mode, hash } of entries) {
    const side = SIDES[stage];
    if (side !== undefined) found.set(path, { ...found.get(path), [side]: { mode, hash } });
  }
  return found;
}
