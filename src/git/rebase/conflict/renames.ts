import { type GitCall, read, splitZ } from '../../run.ts';

export const renamesCall = (worktree: string, from: string, to: string): GitCall =>
  read(worktree, 'diff-tree', '-r', '-z', '--name-status', '--find-renames', '-l1000', '--diff-filter=R', '--no-ext-diff', from, to);

/** Reads `R<score> <old> <new>`: the old name by the new one. */
export function parseRenames(output: string): ReadonlyMap<string, string> {
  const fields = splitZ(output);
  const renames = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) renames.set(fields[at + 2] ?? '', fields[at + 1] ?? '');
  return renames;
}

export interface Renames {
  readonly main: ReadonlyMap<string, string>;
  readonly worker: ReadonlyMap<string, string>;
}

/** The names that the base and each side have for the file which the index calls `path`, where they differ from it. */
export function collectVersionNames(path: string, { main, worker }: Renames): { base?: string; main?: string; worker?: string } {
  const byMain = main.get(path);
  const byWorker = worker.get(path);
  return {
    ...((byMain ?? byWorker) !== undefined && { base: byMain ?? byWorker ?? path }),
    ...(byMain === undefined && byWorker !== undefined && { main: byWorker }),
    ...(byWorker === undefined && byMain !== undefined && { worker: byMain }),
  };
}
