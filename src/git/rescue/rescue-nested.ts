import { messageOf } from '../../base/error.ts';
import { readStatus } from '../inspect.ts';
import { commonDirCall } from '../landing/land-merge.ts';
import { commitTree } from '../landing/squash.ts';
import { type Git, type GitCall, read } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import { uploadPackOptions } from '../walls.ts';
import { findNested, type Nested } from '../worktree/nested.ts';
import type { Inside } from './rescue-record.ts';
import { RESCUE_PREFIX } from './rescue-ref.ts';
import { folderTree, snapshot, treeOf } from './snapshot.ts';

export interface SavedInside {
  readonly saved: readonly Inside[];
  readonly missed: readonly string[];
}

const tipsCall = (at: string): GitCall => read(at, 'for-each-ref', '--format=%(objectname)', 'refs/heads', 'refs/stash');
/** The repository may never have fetched the recorded commit. */
const unknownElsewhereCall = (at: string, tip: string, recorded: string | undefined): GitCall =>
  read(at, 'rev-list', '--max-count=1', '--ignore-missing', tip, '--not', '--remotes', ...(recorded === undefined ? [] : [recorded]), '--');
const rescuedBeforeCall = (root: string, tip: string): GitCall =>
  read(root, 'for-each-ref', '--count=1', '--format=%(refname)', `--contains=${tip}`, RESCUE_PREFIX.slice(0, -1));
/** A submodule is often shallow. */
export const takeSavedCall = (into: string, from: string, sha: string, ...options: readonly string[]): GitCall =>
  fetchCall(into, from, sha, '--update-shallow', ...options);

/** Saves the work in nested repositories into the root's repository: commits that no remote has, and uncommitted files. */
export async function rescueNested(git: Git, root: string, worktree: string): Promise<SavedInside> {
  const saved: Inside[] = [];
  const missed: string[] = [];
  for (const nested of await findNested(git, worktree)) {
    try {
      const made = nested.kind === 'folder' ? await saveFolder(git, nested) : await saveRepository(git, root, nested);
      if (made === undefined) continue;
      missed.push(...made.missed.map((why) => `${nested.path}: ${why}`));
      const from = nested.kind === 'folder' ? nested.around : nested.at;
      await git.ok(takeSavedCall(root, from, made.inside.sha, ...uploadPackOptions(git.walls, from)));
      saved.push(made.inside);
    } catch (error) {
      missed.push(`${nested.path}: ${messageOf(error)}`);
    }
  }
  return { saved, missed };
}

type Made = { readonly inside: Inside; readonly missed: readonly string[] };

async function saveRepository(git: Git, root: string, nested: Nested): Promise<Made | undefined> {
  const { at, path } = nested;
  const { head, changes } = await readStatus(git, at);
  const unsafe = await unsafeTips(git, root, nested, head);
  if (changes.length === 0 && unsafe.length === 0) return undefined;
  const seen = changes.length > 0 ? await snapshot(git, at, head) : undefined;
  const tree = seen?.tree ?? (await treeOf(git, at, head ?? unsafe[0] ?? ''));
  const parents = [...new Set([...(head === undefined ? [] : [head]), ...unsafe, ...(seen?.index === undefined ? [] : [seen.index])])];
  const sha = await commitInside(git, at, path, tree, parents);
  return { inside: { path, sha, head: head ?? null, recorded: nested.recorded ?? null, kind: 'repository' }, missed: seen?.missed ?? [] };
}

async function saveFolder(git: Git, { around, at, path, recorded }: Nested): Promise<Made | undefined> {
  const seen = await folderTree(git, around, at);
  if (seen.tree === undefined && seen.missed.length === 0) return undefined;
  if (seen.tree === undefined) throw new Error(seen.missed.join('; '));
  const sha = await commitInside(git, around, path, seen.tree, []);
  return { inside: { path, sha, head: null, recorded: recorded ?? null, kind: 'folder' }, missed: seen.missed };
}

/** Lists HEAD, branches and stash that no remote, no outer repository and no earlier rescue has. */
async function unsafeTips(git: Git, root: string, { at, recorded }: Nested, head: string | undefined): Promise<string[]> {
  const isUnknown = async (tip: string) => (await git.ok(unknownElsewhereCall(at, tip, recorded))).trim() !== '';
  const tips = head !== undefined && (await isUnknown(head)) ? [head] : [];
  const [mine, roots] = await Promise.all([git.ok(commonDirCall(at)), git.ok(commonDirCall(root))]);
  // A second worktree of the root's repository: its branches stay when its directory is deleted.
  if (mine === roots) return tips;
  for (const tip of new Set((await git.ok(tipsCall(at))).split('\n').filter(Boolean))) {
    if (tip === head || !(await isUnknown(tip))) continue;
    // git fails if the root has never seen the commit. Then no rescue has it either.
    if ((await git.run(rescuedBeforeCall(root, tip))).stdout.trim() === '') tips.push(tip);
  }
  return tips;
}

/** Uses a fixed date: the same work makes the same commit, so a repeated rescue finds it. */
function commitInside(git: Git, at: string, path: string, tree: string, parents: readonly string[]): Promise<string> {
  const committed = '0 +0000';
  const author = { name: 'llmc', email: 'llmc@localhost', date: committed };
  return commitTree(git, at, { tree, parents, message: `rescue: what was in ${path}`, author, committed });
}
