import { basename, dirname, join } from 'node:path';
import { describeError, LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import type { RunOptions } from '../../base/ports.ts';
import { findRefusal } from '../../base/refusal.ts';
import { refusalHint, refusalText } from '../../base/refusal-text.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { isFreePlace, removeTree } from '../../system/files/files.ts';
import { giveTree } from '../../system/files/give-tree.ts';
import { endHardLinks, moveFolderAside, readKind } from '../../system/files/no-follow.ts';
import { writeTaken } from '../exchange/exchange.ts';
import { administrativeFolder, locateGit, ownRepository, requireNoLinkAbove, storeFolder } from '../private/place.ts';
import { localRef, workerBranch } from '../refs.ts';
import { complaint, type Git, type GitCall, read, refusedBySystem, write } from '../run.ts';
import { clearLink, linkState, makeLink, namesFolder, writeLink } from './link.ts';
import { makeRepository, removeRepository } from './own-repository.ts';

// llmc does the steps of `git worktree add`, `remove` and `repair` itself: git reads what agents wrote about all worktrees,
// and follows it.

/** The empty old value makes git fail if the branch exists. */
export const createBranchCall = (root: string, branch: string, base: string): GitCall =>
  write(root, 'update-ref', '-m', 'llmc: new worktree', localRef(branch), base, '');
/** An agent can make its branch a symbolic ref to the one of another worker: that one stays. */
const deleteBranchCall = (root: string, branch: string): GitCall => write(root, 'update-ref', '--no-deref', '-d', localRef(branch));
const branchExistsCall = (root: string, branch: string): GitCall => read(root, 'rev-parse', '--quiet', '--verify', localRef(branch));
const fillCall = (path: string): GitCall => write(path, 'reset', '--hard', '--quiet', '--no-recurse-submodules');
/** Makes the index again and leaves the files as they are. */
const indexCall = (path: string): GitCall => write(path, 'reset', '--mixed', '--quiet', '--no-recurse-submodules');

export type AddedWorktree = { readonly kind: 'created' | 'kept' | 'repaired'; readonly branch: string };

/**
 * Makes a worktree for a worker. Safe to repeat: an existing worktree is kept, and one whose directory was deleted
 * is made again on its branch with all its commits.
 */
export function addWorktree(
  git: Git,
  root: string,
  worker: string,
  path: string,
  base: string,
  options?: RunOptions,
): Promise<AddedWorktree> {
  return git.locks.withLock(root, () => add(git, root, worker, path, base, options));
}

async function add(git: Git, root: string, worker: string, path: string, base: string, options?: RunOptions): Promise<AddedWorktree> {
  const branch = workerBranch(worker);
  if (locateGit(root, path).kind !== 'worktree') throw failed(`${path} is not a directory for worktrees of ${root}`);
  if (await reconnect(git, root, path)) return { kind: 'kept', branch };
  const exists = await branchExists(git, root, branch);
  if (!exists) putAside(root, worker);
  // An agent can put a file in the place of its worktree. The file is kept, like a repository of its own.
  if (exists && ['file', 'other'].includes(readKind(path))) moveFolderAside(path, join(storeFolder(root), 'set-aside'));
  if (!isFree(path)) throw failed(`${path} exists and is not a worktree of ${root}`, MOVE_AWAY);
  if (!exists) await must(git, createBranchCall(root, branch, base));
  try {
    await makeRepository(git, root, worker);
    clearLink(root, path);
    makeLink(root, path);
    await handOver(git, path);
    const admin = administrativeFolder(root, worker);
    // Its agent may have deleted the branch in its own repository.
    if (exists && !(await branchExists(git, admin, branch))) {
      const tip = (await git.ok(branchExistsCall(root, branch))).trim();
      await must(git, createBranchCall(admin, branch, tip));
    }
    await must(git, fillCall(path), options);
    writeTaken(root, worker, `ref: ${localRef(branch)}\n`);
    endHardLinks(join(ownRepository(root, worker), 'lfs'));
  } catch (error) {
    if (readKind(path) !== 'missing') removeTree(path);
    clearLink(root, path);
    if (!exists) {
      removeRepository(git, root, worker);
      await git.run(deleteBranchCall(root, branch));
    }
    if (error instanceof LlmcError) throw error;
    const refusal = findRefusal(error);
    const why = refusal === undefined ? describeError(error) : refusalText(refusal);
    const hint = refusal === undefined ? {} : { hint: refusalHint(refusal, root) };
    throw new LlmcError('GIT_WORKTREE_FAILED', `${path} cannot be made: ${why}`, { ...hint, cause: error });
  }
  return { kind: exists ? 'repaired' : 'created', branch };
}

/** A repository for a worker that does not exist yet is not llmc's. Another agent can have prepared it. */
function putAside(root: string, worker: string): void {
  const own = ownRepository(root, worker);
  requireNoLinkAbove(root, own);
  if (readKind(own) !== 'missing') moveFolderAside(own, join(storeFolder(root), 'set-aside'));
}

/** Gives a worktree that llmc made to the user of its agent, if that is another one. Safe to repeat. */
export async function handOver(git: Git, path: string): Promise<void> {
  const { to, folders } = git.walls.around(path)?.handOver ?? {};
  if (to === undefined) return;
  for (const folder of folders ?? [])
    await giveTree(folder, to).catch((error: unknown) => {
      throw failed(`${path} cannot be given to its user: ${describeError(error)}`);
    });
}

/** Deletes the directory and the branch. Rescue first. Safe to repeat. */
export function removeWorktree(git: Git, root: string, worker: string, path: string): Promise<void> {
  return git.locks.withLock(root, () => remove(git, root, worker, path));
}

async function remove(git: Git, root: string, worker: string, path: string): Promise<void> {
  requireNoLink(path);
  if (linkState(root, path).kind === 'unknown' && !namesFolder(root, path)) throw failed(`${path} is not a worktree of ${root}`, MOVE_AWAY);
  // Relative to an opened folder: a process of the agent may still run, and put a link in place of a folder meanwhile.
  // The user may have put `.worktrees` on another disk, behind a link.
  const parent = await git.files.realPath(dirname(path)).catch(() => dirname(path));
  await git.files.removeBeneath(parent, basename(path)).catch((error: unknown) => {
    throw failed(`${path} cannot be deleted: ${describeError(error)}`);
  });
  fault('remove:after-files');
  removeRepository(git, root, worker);
  const branch = workerBranch(worker);
  if (await branchExists(git, root, branch)) await must(git, deleteBranchCall(root, branch));
}

/** Also false if the directory exists but has lost its link to the repository. */
export const isWorktreePresent = (root: string, path: string): boolean => linkState(root, path).kind === 'whole';

/** Repairs a directory that only lost its link, without changing files or index. Returns whether the worktree is present then. */
export async function reconnect(git: Git, root: string, path: string): Promise<boolean> {
  requireNoLink(path);
  const { kind } = linkState(root, path);
  if (kind === 'whole' || kind === 'missing') return kind === 'whole';
  const worker = basename(path);
  const admin = administrativeFolder(root, worker);
  if (kind === 'unknown') {
    // The folder with HEAD and index is gone, or its HEAD. The directory is ours if it names that folder.
    if (!namesFolder(root, path)) return false;
    await makeRepository(git, root, worker);
    if (readKind(join(admin, 'HEAD')) !== 'file') makeLink(root, path);
    writeLink(root, path);
    await handOver(git, path);
    const isNew = readKind(join(admin, 'index')) !== 'file';
    // Without its branch there is nothing to make an index of: then all files are new.
    if (isNew && (await branchExists(git, admin, workerBranch(worker)))) await must(git, indexCall(path));
  }
  writeLink(root, path);
  return true;
}

/** git would work, clean and delete in the folder that the link points at. */
function requireNoLink(path: string): void {
  if (readKind(path) === 'link')
    throw failed(`${path} is a link and not a worktree`, `Remove the link, then try again: ${commandLine('rm', '--', path)}`);
}

const MOVE_AWAY = 'Move it away and try again.';

/** A link to an empty directory is not free: git would write behind it. */
const isFree = (path: string): boolean => readKind(path) === 'missing' || (readKind(path) === 'folder' && isFreePlace(path));

async function branchExists(git: Git, root: string, branch: string): Promise<boolean> {
  return (await git.run(branchExistsCall(root, branch))).status === 0;
}

async function must(git: Git, call: GitCall, options?: RunOptions): Promise<void> {
  const answer = await git.run(call, options);
  if (answer.status === 0) return;
  // A half-made worktree is removed: what a person types next must be about a folder that stays.
  const refused = refusedBySystem(call, answer, dirname(call.at));
  if (refused !== undefined) throw new LlmcError('GIT_WORKTREE_FAILED', refused.message, refused);
  throw failed(`git ${call.args[0]} failed in ${call.at}: ${complaint(answer.stderr)}`, undefined, answer.stderr.trim());
}

function failed(message: string, hint?: string, details?: string): LlmcError {
  return new LlmcError('GIT_WORKTREE_FAILED', message, { hint, details });
}
