import { fault } from '../../base/fault.ts';
import { unfinishedOperation } from '../rebase/operation.ts';
import { localRef } from '../refs.ts';
import { complaint, type Git, type GitCall, read, splitZ, write } from '../run.ts';
import { ownStatus } from '../worktree/status.ts';
import type { Worktree } from '../worktree/worktree-list.ts';
import { readTip } from './land.ts';
import { inTheWay } from './land-merge.ts';
import { busyText, goneCheckout } from './landed.ts';
import type { TakenBack, TakingBack } from './taken-back.ts';

/** Fails if main is another commit by now. */
export const moveMainCall = (checkout: string, branch: string, to: string, from: string): GitCall =>
  write(checkout, 'update-ref', '-m', 'llmc: undo', localRef(branch), to, from);
/** Changes only what differs between the two commits. Edits, staged changes and untracked files stay, or git refuses. */
export const moveFilesCall = (checkout: string, from: string, to: string, ...options: readonly string[]): GitCall =>
  write(checkout, 'read-tree', ...options, '-m', '-u', '--no-recurse-submodules', '--end-of-options', from, to);
const refreshCall = (checkout: string): GitCall => write(checkout, 'update-index', '-q', '--ignore-submodules', '--refresh');
const changedCall = (checkout: string, from: string, to: string, ...options: readonly string[]): GitCall =>
  read(checkout, 'diff-tree', '-r', '-z', '--no-renames', '--name-only', ...options, '--end-of-options', from, to);
const untrackedCall = (checkout: string, paths: readonly string[]): GitCall => ({
  ...read(checkout, 'ls-files', '-z', '--others', '--', ...paths),
  env: { GIT_LITERAL_PATHSPECS: '1' },
});

/**
 * Moves main back where it is checked out. The branch moves first, by compare-and-swap: a commit that the user makes meanwhile
 * is never lost. If the files cannot follow, the branch moves forward again.
 */
export async function takeBackInCheckout(git: Git, taking: TakingBack, checkout: Worktree): Promise<TakenBack> {
  const { branch, landed, onto } = taking;
  const where = checkout.path;
  if (checkout.prunable !== undefined || !(await git.files.exists(where))) return { kind: 'refused', reason: goneCheckout(where, branch) };
  const unfinished = await unfinishedOperation(git, where);
  if (unfinished !== undefined) return { kind: 'refused', reason: busyText(unfinished.operation, where) };
  const obstacle = await obstacleIn(git, taking, where);
  if (obstacle !== undefined) return obstacle;
  if (checkout.head === landed) {
    const moved = await git.run(moveMainCall(where, branch, onto, landed));
    if (moved.status !== 0) return await notMoved(git, taking, `git update-ref in ${where} said: ${complaint(moved.stderr)}`);
  }
  fault('undo:after-branch');
  const followed = await git.run(moveFilesCall(where, landed, onto));
  if (followed.status === 0) return { kind: checkout.head === landed ? 'taken-back' : 'already-back' };
  if (checkout.head === landed) await git.ok(moveMainCall(where, branch, landed, onto));
  return { kind: 'refused', reason: `git read-tree in ${where} said: ${complaint(followed.stderr)}` };
}

async function notMoved(git: Git, taking: TakingBack, reason: string): Promise<TakenBack> {
  const now = await readTip(git, taking);
  return now === taking.landed ? { kind: 'refused', reason } : { kind: 'moved', now };
}

/** What of the user's would be lost, or has changed in the same files. */
async function obstacleIn(git: Git, { landed, onto }: TakingBack, where: string): Promise<TakenBack | undefined> {
  const untracked = await untrackedIn(git, where, splitZ(await git.ok(changedCall(where, landed, onto, '--diff-filter=A'))));
  if (untracked.length > 0) return inTheWay(where, untracked, untracked, 'at paths that would come back');
  const dryRun = moveFilesCall(where, landed, onto, '--dry-run');
  if ((await git.run(dryRun)).status === 0) return undefined;
  // git compares times first: a file that was only touched looks changed.
  await git.run(refreshCall(where));
  const answer = await git.run(dryRun);
  if (answer.status === 0) return undefined;
  const [changed, { changes }] = await Promise.all([git.ok(changedCall(where, landed, onto)), ownStatus({ git, at: where })]);
  const touched = new Set(splitZ(changed));
  const files = changes.map(({ path }) => path).filter((path) => touched.has(path));
  if (files.length > 0) return inTheWay(where, files, []);
  return { kind: 'refused', reason: `git read-tree in ${where} said: ${complaint(answer.stderr)}` };
}

/** The names of this many files fit in one command line. */
const MOST_PATHS = 1_000;

/** Files that git does not track at paths that would come back. `read-tree` would replace ignored ones, such as `.env`, without a word (git 2.39). */
async function untrackedIn(git: Git, where: string, paths: readonly string[]): Promise<readonly string[]> {
  const present = new Set<string>();
  for (const path of paths) {
    const place = await firstInTheWay(git, where, path);
    if (place !== undefined) present.add(place);
  }
  const asked = [...present].slice(0, MOST_PATHS);
  return asked.length === 0 ? [] : splitZ(await git.ok(untrackedCall(where, asked)));
}

/** The path itself if something is there, or the file or link in place of a folder above it. */
async function firstInTheWay(git: Git, where: string, path: string): Promise<string | undefined> {
  const names = path.split('/');
  for (let depth = 1; depth <= names.length; depth += 1) {
    const place = names.slice(0, depth).join('/');
    const kind = await git.files.kindBeneath(where, place);
    if (kind === 'missing') return undefined;
    if (kind !== 'folder' || depth === names.length) return place;
  }
  return undefined;
}
