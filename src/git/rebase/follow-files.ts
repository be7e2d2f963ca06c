import { mergedFrom } from '../../proof/tree-file.ts';
import type { TreeChanges, TreeEntry } from './tree-changes.ts';

/** One file under the names that the four trees have for it. */
export interface FollowedFile {
  readonly base: TreeEntry | null;
  readonly main: TreeEntry | null;
  readonly worker: TreeEntry | null;
  readonly result: TreeEntry | null;
}

/** Joins what the trees changed, file by file: by the path in the base, and for a new file by its path. */
export function followFiles(main: TreeChanges, worker: TreeChanges, result: TreeChanges): readonly FollowedFile[] {
  const inResult = new Map([
    ...[...result.changed.values()].flatMap(({ after }) => (after === null ? [] : [[after.path, after] as const])),
    ...result.added,
  ]);
  const ofSides = new Set(
    [main, worker].flatMap(({ changed, added }) => [...[...changed.values()].map(({ after }) => after?.path), ...added.keys()]),
  );
  const found = new Set<string>();
  const existing = (paths: readonly (string | undefined)[]): TreeEntry | null => {
    const entry = paths.map((path) => (path === undefined ? undefined : inResult.get(path))).find((each) => each !== undefined) ?? null;
    if (entry !== null) found.add(entry.path);
    return entry;
  };
  const old = [...new Set([...main.changed.keys(), ...worker.changed.keys(), ...result.changed.keys()])].map((path): FollowedFile => {
    const base = (main.changed.get(path) ?? worker.changed.get(path) ?? result.changed.get(path))?.before ?? null;
    const [ofMain, ofWorker] = [main, worker].map(({ changed }) => (changed.has(path) ? (changed.get(path)?.after ?? null) : base));
    const after = result.changed.get(path)?.after?.path;
    // Git pairs any two similar files. A new name that a side knows is a rename only if that side renamed this file.
    const renamed = after !== undefined && ofSides.has(after) ? undefined : after;
    const untouched = result.changed.has(path) ? null : base;
    return {
      base,
      main: ofMain ?? null,
      worker: ofWorker ?? null,
      result: existing([ofMain?.path, ofWorker?.path, renamed, path]) ?? untouched,
    };
  });
  const added = [...new Set([...main.added.keys(), ...worker.added.keys()])].map(
    (path): FollowedFile => ({
      base: null,
      main: main.added.get(path) ?? null,
      worker: worker.added.get(path) ?? null,
      result: existing([path]),
    }),
  );
  const others = [...inResult.values()].filter(({ path }) => !found.has(path));
  return [...old, ...added, ...others.map((entry): FollowedFile => ({ base: null, main: null, worker: null, result: entry }))];
}

/** The result has the only version that a merge can have: nothing is left to prove. */
export function isPlainMerge({ base, main, worker, result }: FollowedFile): boolean {
  const expected = mergedFrom(toKey(base), toKey(main), toKey(worker));
  return expected.length === 1 && expected[0] === toKey(result);
}

const toKey = (entry: TreeEntry | null): string => (entry === null ? '' : `${entry.mode} ${entry.id} ${entry.path}`);
