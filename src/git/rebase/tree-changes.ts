import type { ObjectView } from '../object-view.ts';
import { type Git, type GitCall, splitZ } from '../run.ts';

/** A file in a tree: its name, its mode and the hash of its content. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/** What a tree has other than the base. */
export interface TreeChanges {
  /** By the path in the base: the file before, and after; null for a deleted one. */
  readonly changed: ReadonlyMap<string, { readonly before: TreeEntry; readonly after: TreeEntry | null }>;
  /** New files by path. */
  readonly added: ReadonlyMap<string, TreeEntry>;
}

/** One process for all comparisons: each line names a commit and the one to compare it with. */
const changesCall = (view: ObjectView, base: string, tips: readonly string[]): GitCall => ({
  ...view.call('diff-tree', '--stdin', '-r', '-z', '-M', '--raw', '--no-abbrev', '--ignore-submodules=none'),
  stdin: tips.map((tip) => `${tip} ${base}\n`).join(''),
});

/** Compares commits with `base`, all given by their hashes. Renames are followed. */
export async function readTreeChanges(git: Git, view: ObjectView, base: string, tips: readonly string[]): Promise<readonly TreeChanges[]> {
  const parsed = parseTreeChanges(await git.ok(changesCall(view, base, [...new Set(tips)])));
  return tips.map((tip) => parsed.get(tip) ?? { changed: new Map(), added: new Map() });
}

/** Git prints the commit, then its records; nothing for a commit with the files of the base. */
function parseTreeChanges(output: string): ReadonlyMap<string, TreeChanges> {
  const trees = new Map<string, { changed: Map<string, { before: TreeEntry; after: TreeEntry | null }>; added: Map<string, TreeEntry> }>();
  const fields = splitZ(output);
  let tree = { changed: new Map<string, { before: TreeEntry; after: TreeEntry | null }>(), added: new Map<string, TreeEntry>() };
  for (let at = 0; at < fields.length; at += 1) {
    const record = fields[at] ?? '';
    if (!record.startsWith(':')) {
      tree = { changed: new Map(), added: new Map() };
      trees.set(record, tree);
      continue;
    }
    const [before = '', after = '', from = '', to = '', status = ''] = record.slice(1).split(' ');
    const path = fields[at + 1] ?? '';
    const isRenamed = status.startsWith('R');
    const now = isRenamed ? (fields[at + 2] ?? '') : path;
    at += isRenamed ? 2 : 1;
    if (status === 'A') tree.added.set(path, { path, mode: after, id: to });
    else
      tree.changed.set(path, {
        before: { path, mode: before, id: from },
        after: status === 'D' ? null : { path: now, mode: after, id: to },
      });
  }
  return trees;
}
