import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { diffText } from '../diff.ts';
import { ownRepository, privateFolder } from '../private/place.ts';
import { type Git, type GitCall, read, write } from '../run.ts';
import { type Entered, enterNested, type Repository } from '../worktree/enter-nested.ts';
import { takeSavedCall } from './rescue-nested.ts';
import { type NestedRescue, parseRecord } from './rescue-record.ts';
import type { Rescue } from './rescue-ref.ts';

const messageCall = (root: string, sha: string): GitCall =>
  read(root, 'show', '--no-patch', '--no-show-signature', '--encoding=UTF-8', '--format=%B', '--end-of-options', sha);
/** One line for each commit: its hash, then those of its parents. */
const parentsCall = (root: string, shas: readonly string[]): GitCall =>
  read(root, 'rev-list', '--no-walk=unsorted', '--parents', '--end-of-options', ...shas);
const hasCommitCall = (at: string, sha: string): GitCall => read(at, 'cat-file', '-e', '--end-of-options', `${sha}^{commit}`);
const emptyTreeCall = (at: string): GitCall => ({ ...write(at, 'hash-object', '-t', 'tree', '-w', '--stdin'), stdin: '' });
/** In the folder itself, so that it runs in the sandbox of the worker. */
const initCall = (at: string): GitCall => write(at, 'init', '--quiet');
/** This ref keeps branches and stashes reachable: they are parents of the saved commit. */
const keepCall = (at: string, sha: string): GitCall => write(at, 'update-ref', 'refs/llmc/rescued', sha);
const takeHeadCall = (at: string, head: string): GitCall =>
  write(at, 'checkout', '--quiet', '--no-recurse-submodules', '--force', '--detach', head, '--');
const takeFilesCall = (at: string, sha: string): GitCall =>
  write(at, 'read-tree', '--no-recurse-submodules', '--reset', '-u', '--end-of-options', sha);
const unstageCall = (at: string): GitCall => write(at, 'reset', '--quiet', '--no-recurse-submodules');
const readIntoCall = (at: string, index: string, sha: string): GitCall => ({
  ...write(at, 'read-tree', '--end-of-options', sha),
  env: { GIT_INDEX_FILE: index },
});
const writeFilesCall = (at: string, index: string, folder: string): GitCall => ({
  ...write(at, 'checkout-index', '--quiet', '--all', '--force', `--prefix=${folder}/`),
  env: { GIT_INDEX_FILE: index },
});

/**
 * Lists the nested repositories in a rescue, outer ones first, and counts the entries that llmc did not write. What is
 * checked out comes from the rescue itself: the saved commit is its parent, and the old HEAD is a parent of that.
 */
export async function readNestedRescues(
  git: Git,
  root: string,
  { sha, parents }: Rescue,
): Promise<{ inside: NestedRescue[]; invalid: number }> {
  const record = parseRecord(await git.ok(messageCall(root, sha)));
  const saved = record.inside.filter((each) => parents.includes(each.sha));
  if (saved.length === 0) return { inside: [], invalid: record.invalid + record.inside.length };
  const rows = (await git.ok(parentsCall(root, [...new Set(saved.map((each) => each.sha))]))).trimEnd().split('\n');
  const above = new Map(rows.map((row) => row.split(' ')).map(([commit = '', ...its]) => [commit, its]));
  const inside = saved.filter((each) => each.head === null || above.get(each.sha)?.includes(each.head) === true);
  return { inside, invalid: record.invalid + record.inside.length - inside.length };
}

/** Shows a nested repository as a diff against its recorded commit, or in full if there was none. */
export async function showInside(git: Git, root: string, { path, sha, recorded }: NestedRescue): Promise<string> {
  const known = recorded !== null && (await git.run(hasCommitCall(root, recorded))).status === 0;
  const from = known ? recorded : (await git.ok(emptyTreeCall(root))).trim();
  return `Inside ${path}, saved as ${sha.slice(0, 12)}:\n${await diffText(git, root, from, sha, { below: path })}`;
}

/** Copies into existing nested repositories the commits that are going to be checked out there. */
export async function bringInside(git: Git, root: string, worktree: string, all: readonly NestedRescue[]): Promise<void> {
  for (const { path, sha } of all) {
    if (!(await isRepository(git, worktree, path))) continue;
    await using place = await open(git, worktree, path);
    if (!place.ofWorker) await take(place, root, sha);
  }
}

const isRepository = async (git: Git, worktree: string, path: string): Promise<boolean> =>
  (await git.files.kindBeneath(worktree, `${path}/.git`)) !== 'missing';

/** Also makes a ref: the next rescue finds by it that the root has the commit. */
async function take({ git, at }: Repository, root: string, sha: string): Promise<void> {
  // In a sandbox, the worker's own repository, which borrows the objects of the store.
  const worker = git.walls.around(at)?.worker;
  await git.ok(takeSavedCall(at, worker === undefined ? privateFolder(root) : ownRepository(root, worker), sha));
  await git.ok(keepCall(at, sha));
}

/** Checks out the old commit of a nested repository, and restores the rest as uncommitted files. */
export async function restoreInside(git: Git, root: string, worktree: string, inside: NestedRescue): Promise<void> {
  const { path, sha, head, kind } = inside;
  await requireFolder(git, worktree, path);
  if (kind === 'folder') return writeFolder(git, root, worktree, join(worktree, path), sha);
  if (!(await isRepository(git, worktree, path))) await git.ok(initCall(join(worktree, path)));
  await using place = await open(git, worktree, path);
  await take(place, root, sha);
  if (head !== null) await place.git.ok(takeHeadCall(place.at, head));
  await place.git.ok(takeFilesCall(place.at, sha));
  await place.git.ok(unstageCall(place.at));
}

async function open(git: Git, worktree: string, path: string): Promise<Entered> {
  const entered = await enterNested(git, worktree, path);
  if ('closed' in entered) throw new LlmcError('GIT_FAILED', `${path} cannot be restored: ${entered.closed}`);
  return entered;
}

/** Checked right before git writes there. git itself would follow a link. */
async function requireFolder(git: Git, worktree: string, path: string): Promise<void> {
  if (await git.files.makeBeneath(worktree, path)) return;
  throw new LlmcError('GIT_FAILED', `${path} cannot be restored: a link or a file is on the way to it`, {
    hint: `Remove it from ${worktree}, then restore again.`,
  });
}

async function writeFolder(git: Git, root: string, worktree: string, folder: string, sha: string): Promise<void> {
  await using scratch = await git.files.scratch();
  const index = join(scratch.path, 'index');
  await git.ok(readIntoCall(root, index, sha));
  await git.ok(writeFilesCall(worktree, index, folder));
}
