import { basename, relative } from 'node:path';
import { messageOf } from '../../base/error.ts';
import { saveObject } from '../exchange/exchange.ts';
import { treeOf } from '../inspect.ts';
import { commitTree } from '../landing/squash.ts';
import { type Git, type GitCall, read } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import { uploadPackOptions } from '../walls.ts';
import type { Entered, Repository } from '../worktree/enter-nested.ts';
import { findNested, type Nested } from '../worktree/nested.ts';
import { ownStatus } from '../worktree/status.ts';
import type { Inside } from './rescue-record.ts';
import { RESCUE_PREFIX } from './rescue-ref.ts';
import { folderTree, type Gitlinks, snapshot } from './snapshot.ts';

export interface SavedInside {
  readonly saved: readonly Inside[];
  readonly missed: readonly string[];
  /** Those of the worktree itself. */
  readonly gitlinks: Gitlinks;
}

const tipsCall = (at: string): GitCall => read(at, 'for-each-ref', '--format=%(objectname)', 'refs/heads', 'refs/stash');
/** The repository may never have fetched the recorded commit. The second `--not` ends the first: no option may follow a revision. */
const unknownElsewhereCall = (at: string, tip: string, recorded: string | undefined): GitCall =>
  read(
    at,
    ...['rev-list', '--max-count=1', '--ignore-missing', '--not', '--remotes', '--not', '--end-of-options', tip],
    ...(recorded === undefined ? [] : [`^${recorded}`]),
    '--',
  );
const rescuedBeforeCall = (root: string, tip: string): GitCall =>
  read(root, 'for-each-ref', '--count=1', '--format=%(refname)', `--contains=${tip}`, RESCUE_PREFIX.slice(0, -1));
/** A submodule is often shallow. */
export const takeSavedCall = (into: string, from: string, sha: string, ...options: readonly string[]): GitCall =>
  fetchCall(into, from, sha, '--update-shallow', ...options);

/** Saves the work in nested repositories into the root's repository: commits that no remote has, and uncommitted files. */
export async function rescueNested(git: Git, root: string, worktree: string): Promise<SavedInside> {
  const saved: Inside[] = [];
  const missed: string[] = [];
  await using found = await findNested(git, worktree);
  for (const nested of found.all) {
    try {
      const made = await save(git, root, nested, found.all);
      if (made === undefined) continue;
      missed.push(...made.missed.map((why) => `${nested.path}: ${why}`));
      await bring(git, root, basename(worktree), made.place, made.inside.sha);
      saved.push(made.inside);
    } catch (error) {
      missed.push(`${nested.path}: ${messageOf(error)}`);
    }
  }
  return { saved, missed, gitlinks: gitlinksIn(found.all, worktree) };
}

interface Made {
  readonly inside: Inside;
  readonly missed: readonly string[];
  /** The repository that has the commit. */
  readonly place: Repository;
}

async function save(git: Git, root: string, nested: Nested, all: readonly Nested[]): Promise<Made | undefined> {
  switch (nested.kind) {
    case 'closed':
      throw new Error(`llmc does not run git there: ${nested.why}`);
    case 'folder':
      return saveFolder(nested);
    case 'repository':
      return saveRepository(git, root, nested, nested.inside, gitlinksIn(all, nested.at));
  }
}

async function saveRepository(git: Git, root: string, nested: Nested, inside: Entered, gitlinks: Gitlinks): Promise<Made | undefined> {
  const { path } = nested;
  const { head, changes, unread } = await ownStatus(inside);
  const unsafe = await unsafeTips(git, root, nested, inside, head);
  if (changes.length === 0 && unsafe.length === 0) {
    if (unread.length > 0) throw new Error(unread.join('; '));
    return undefined;
  }
  const seen = changes.length > 0 ? await snapshot(inside.git, inside.at, head, gitlinks) : undefined;
  const tree = seen?.tree ?? (await treeOf(inside.git, inside.at, head ?? unsafe[0] ?? ''));
  const parents = [...new Set([...(head === undefined ? [] : [head]), ...unsafe, ...(seen?.index === undefined ? [] : [seen.index])])];
  const sha = await commitInside(inside, path, tree, parents);
  return {
    inside: { path, sha, head: head ?? null, recorded: nested.recorded ?? null, kind: 'repository' },
    missed: [...unread, ...(seen?.missed ?? [])],
    place: inside,
  };
}

/** The nested repositories directly in the repository at `around`, by paths relative to it. */
function gitlinksIn(all: readonly Nested[], around: string): Gitlinks {
  const here = all.filter((each) => each.around.at === around && (each.recorded !== undefined || each.kind === 'closed'));
  const paths = (some: readonly Nested[]) => some.map(({ at }) => relative(around, at));
  return { all: paths(here), readable: paths(here.filter(({ kind }) => kind === 'repository')) };
}

async function saveFolder({ around, at, path, recorded }: Nested): Promise<Made | undefined> {
  const seen = await folderTree(around, at);
  if (seen.tree === undefined && seen.missed.length === 0) return undefined;
  if (seen.tree === undefined) throw new Error(seen.missed.join('; '));
  const sha = await commitInside(around, path, seen.tree, []);
  const inside = { path, sha, head: null, recorded: recorded ?? null, kind: 'folder' } as const;
  return { inside, missed: seen.missed, place: around };
}

const isEntered = (place: Repository): place is Entered => 'remotes' in place;

/** Takes the commit into the store: from the worker's repository if the place is a worktree of that, else from the repository there. */
async function bring(git: Git, root: string, worker: string, place: Repository, sha: string): Promise<void> {
  if (!isEntered(place) || place.ofWorker) return await saveObject(git, root, worker, sha);
  const options = uploadPackOptions(git.walls, place.at, { writes: [place.path] });
  await git.ok(takeSavedCall(root, place.path, sha, ...options));
}

/** Lists HEAD, branches and stash that no remote, no outer repository and no earlier rescue has. */
async function unsafeTips(git: Git, root: string, { recorded }: Nested, inside: Entered, head: string | undefined): Promise<string[]> {
  const { git: inner, at } = inside;
  const isUnknown = async (tip: string) => (await inner.ok(unknownElsewhereCall(at, tip, recorded))).trim() !== '';
  const tips = head !== undefined && (await isUnknown(head)) ? [head] : [];
  // A second worktree of the worker's repository: its branches are saved with those of the worker.
  if (inside.ofWorker) return tips;
  for (const tip of new Set((await inner.ok(tipsCall(at))).split('\n').filter(Boolean))) {
    if (tip === head || !(await isUnknown(tip))) continue;
    // git fails if the root has never seen the commit. Then no rescue has it either.
    if ((await git.run(rescuedBeforeCall(root, tip))).stdout.trim() === '') tips.push(tip);
  }
  return tips;
}

/** Uses a fixed date: the same work makes the same commit, so a repeated rescue finds it. */
function commitInside({ git, at }: Repository, path: string, tree: string, parents: readonly string[]): Promise<string> {
  const committed = '0 +0000';
  const author = { name: 'llmc', email: 'llmc@localhost', date: committed };
  return commitTree(git, at, { tree, parents, message: `rescue: what was in ${path}`, author, committed });
}
