import { basename, dirname } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import type { RunOptions } from '../../base/ports.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { localRef, workerBranch } from '../refs.ts';
import { complaint, type Git, type GitCall, read, write } from '../run.ts';
import { listWorktrees } from './worktree-list.ts';

export const addFreshCall = (root: string, path: string, branch: string, base: string): GitCall =>
  write(root, 'worktree', 'add', '--quiet', '--no-track', '-b', branch, '--', path, base);
const addExistingCall = (root: string, path: string, branch: string): GitCall =>
  write(root, 'worktree', 'add', '--quiet', '--', path, branch);
const pruneCall = (root: string): GitCall => write(root, 'worktree', 'prune', '--expire=now');
/** A single `--force` does not remove a locked worktree. */
const removeCall = (root: string, path: string): GitCall => write(root, 'worktree', 'remove', '--force', '--force', '--', path);
const deleteBranchCall = (root: string, branch: string): GitCall => write(root, 'branch', '--quiet', '-D', '--', branch);
const branchExistsCall = (root: string, branch: string): GitCall => read(root, 'rev-parse', '--quiet', '--verify', localRef(branch));
/** Writes the `.git` file of every registered worktree that has lost it. */
const repairCall = (root: string): GitCall => write(root, 'worktree', 'repair');
const presentCall = (path: string): GitCall => read(path, 'rev-parse', '--is-inside-work-tree');

export type Added = { readonly kind: 'created' | 'kept' | 'repaired'; readonly branch: string };

/**
 * Makes a worktree for a worker. Safe to repeat: an existing worktree is kept, and one whose directory was deleted
 * is made again on its branch with all its commits.
 */
export function addWorktree(git: Git, root: string, worker: string, path: string, base: string, options?: RunOptions): Promise<Added> {
  // Of two `worktree add` at once, one reads the other's half-written entry and fails (git 2.39).
  return git.locks.withLock(root, () => add(git, root, worker, path, base, options));
}

async function add(git: Git, root: string, worker: string, path: string, base: string, options?: RunOptions): Promise<Added> {
  const branch = workerBranch(worker);
  const [present, exists] = await Promise.all([reconnect(git, root, path), branchExists(git, root, branch)]);
  if (present) {
    if (await isRegistered(git, root, path)) return { kind: 'kept', branch };
    throw new LlmcError('GIT_WORKTREE_FAILED', `${path} belongs to another repository`, { hint: 'Move it away and try again.' });
  }
  if (!exists) {
    await addFresh(git, root, path, branch, base, options);
    return { kind: 'created', branch };
  }
  // Without this, git believes that the branch is still checked out in the deleted directory.
  await must(git, pruneCall(root));
  await must(git, addExistingCall(root, path, branch), options);
  return { kind: 'repaired', branch };
}

async function addFresh(git: Git, root: string, path: string, branch: string, base: string, options?: RunOptions): Promise<void> {
  try {
    await must(git, addFreshCall(root, path, branch, base), options);
  } catch (error) {
    // git makes the branch before it checks the directory, and keeps the branch if that fails.
    await git.run(deleteBranchCall(root, branch));
    throw error;
  }
}

/** Deletes the directory and the branch. Rescue first. Safe to repeat. */
export function removeWorktree(git: Git, root: string, worker: string, path: string): Promise<void> {
  return git.locks.withLock(root, () => remove(git, root, worker, path));
}

async function remove(git: Git, root: string, worker: string, path: string): Promise<void> {
  await reconnect(git, root, path);
  if (await git.files.exists(path)) await must(git, removeCall(root, path));
  await must(git, pruneCall(root));
  const branch = workerBranch(worker);
  if (await branchExists(git, root, branch)) await must(git, deleteBranchCall(root, branch));
}

/** Also false if the directory exists but has lost its link to the repository. */
export async function isWorktreePresent(git: Git, path: string): Promise<boolean> {
  const answer = await git.run(presentCall(path));
  return answer.status === 0 && answer.stdout.trim() === 'true';
}

/** Repairs a directory that only lost its link, without changing files or index. Returns whether the worktree is present then. */
export async function reconnect(git: Git, root: string, path: string): Promise<boolean> {
  await requireNoLink(git, path);
  if (await isWorktreePresent(git, path)) return true;
  if (!(await git.files.exists(path))) return false;
  // Its exit status covers every worktree. Only this one matters.
  await git.run(repairCall(root));
  return isWorktreePresent(git, path);
}

/** git would work, clean and delete in the folder that the link points at. */
async function requireNoLink(git: Git, path: string): Promise<void> {
  if ((await git.files.kindBeneath(dirname(path), basename(path))) !== 'link') return;
  throw new LlmcError('GIT_WORKTREE_FAILED', `${path} is a link and not a worktree`, {
    hint: `Remove the link, then try again: ${commandLine('rm', '--', path)}`,
  });
}

async function isRegistered(git: Git, root: string, path: string): Promise<boolean> {
  const real = await git.files.realPath(path);
  for (const worktree of await listWorktrees(git, root)) {
    if (worktree.path === path || worktree.path === real) return true;
  }
  return false;
}

async function branchExists(git: Git, root: string, branch: string): Promise<boolean> {
  return (await git.run(branchExistsCall(root, branch))).status === 0;
}

async function must(git: Git, call: GitCall, options?: RunOptions): Promise<void> {
  const answer = await git.run(call, options);
  if (answer.status === 0) return;
  throw new LlmcError('GIT_WORKTREE_FAILED', `git ${call.args.slice(0, 2).join(' ')} failed: ${complaint(answer.stderr)}`, {
    details: answer.stderr.trim(),
  });
}
