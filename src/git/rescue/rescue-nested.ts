import { basename, relative } from 'node:path';
import { describeError } from '../../base/error.ts';
import { saveObject } from '../exchange/exchange.ts';
import { readTreeId } from '../inspect.ts';
import { commitTree } from '../landing/squash.ts';
import { type Git, type GitCall, read } from '../run.ts';
import { fetchCall } from '../source/fetch-call.ts';
import { uploadPackOptions } from '../walls.ts';
import type { Entered, Repository } from '../worktree/enter-nested.ts';
import { findNested, type Nested } from '../worktree/nested.ts';
import { ownStatus } from '../worktree/status.ts';
import type { NestedRescue } from './rescue-record.ts';
import { RESCUE_PREFIX } from './rescue-ref.ts';
import { folderTree, type Gitlinks, snapshot } from './snapshot.ts';
import { commitsAt, unsafeTips as unsafeCommits } from './strays.ts';

export interface SavedInside {
  readonly saved: readonly NestedRescue[];
  readonly missed: readonly string[];
  /** Those of the worktree itself. */
  readonly gitlinks: Gitlinks;
}

/** The commits that refs and reflogs name. Older entries of a stash are in its reflog alone. */
const namedCall = (at: string): GitCall => read(at, 'rev-list', '--no-walk', '--ignore-missing', '--reflog', '--all');
const rescuedBeforeCall = (root: string, tip: string): GitCall =>
  read(root, 'for-each-ref', '--count=1', '--format=%(refname)', `--contains=${tip}`, RESCUE_PREFIX.slice(0, -1));
/** A submodule is often shallow. */
export const takeSavedCall = (into: string, from: string, sha: string, ...options: readonly string[]): GitCall =>
  fetchCall(into, from, sha, '--update-shallow', ...options);

/** Saves the work in nested repositories into the root's repository: commits that no remote has, and uncommitted files. */
export async function rescueNested(git: Git, root: string, worktree: string): Promise<SavedInside> {
  const saved: NestedRescue[] = [];
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
      missed.push(`${nested.path}: ${describeError(error)}`);
    }
  }
  return { saved, missed, gitlinks: gitlinksIn(found.all, worktree) };
}

interface Made {
  readonly inside: NestedRescue;
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
  const tree = seen?.tree ?? (await readTreeId(inside.git, inside.at, head ?? unsafe[0] ?? ''));
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

/** Lists what HEAD, the refs and the reflogs name and no remote, no outer repository and no earlier rescue has. */
async function unsafeTips(git: Git, root: string, { recorded }: Nested, inside: Entered, head: string | undefined): Promise<string[]> {
  const { git: inner, at } = inside;
  // The branches of a second worktree of the worker's repository are saved with those of the worker.
  const named = inside.ofWorker ? [] : (await inner.ok(namedCall(at))).split('\n').filter(Boolean);
  const known = await commitsAt(inner, at, [
    ...new Set([...(head === undefined ? [] : [head]), ...(recorded === undefined ? [] : [recorded]), ...named]),
  ]);
  const outer = recorded === undefined ? undefined : known.get(recorded);
  const tips = [...new Set([...known].filter(([name]) => name !== recorded || name === head).map(([, sha]) => sha))];
  const { commits } = await unsafeCommits(inner, at, tips, outer === undefined ? [] : [outer], ['refs/remotes']);
  const unsafe: string[] = [];
  // git fails if the root has never seen the commit. Then no rescue has it either.
  for (const tip of commits) if (tip === head || (await git.run(rescuedBeforeCall(root, tip))).stdout.trim() === '') unsafe.push(tip);
  return unsafe;
}

/** Uses a fixed date: the same work makes the same commit, so a repeated rescue finds it. */
function commitInside({ git, at }: Repository, path: string, tree: string, parents: readonly string[]): Promise<string> {
  const committed = '0 +0000';
  const author = { name: 'llmc', email: 'llmc@localhost', date: committed };
  return commitTree(git, at, { tree, parents, message: `rescue: what was in ${path}`, author, committed });
}
