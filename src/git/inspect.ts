import { findRefusal } from '../base/refusal.ts';
import { type Git, type GitCall, gitFailed, read } from './run.ts';
import { shaCall } from './source/fetch.ts';
import { ownStatus, type WorktreeStatus } from './worktree/status.ts';
import { changedSubmodules } from './worktree/submodule-status.ts';

const aheadCall = (at: string, base: string, tip: string): GitCall =>
  read(at, 'rev-list', '--count', '--end-of-options', `${base}..${tip}`, '--');
const mergeBaseCall = (at: string, commits: readonly string[]): GitCall => read(at, 'merge-base', '--end-of-options', ...commits);
const isAncestorCall = (at: string, ancestor: string, descendant: string): GitCall =>
  read(at, 'merge-base', '--is-ancestor', '--end-of-options', ancestor, descendant);
const treeCall = (at: string, revision: string): GitCall => read(at, 'rev-parse', '--verify', '--end-of-options', `${revision}^{tree}`);

/** Reads HEAD, branch and every change, also those inside submodules. One call to git in a worktree without submodules. */
export async function readStatus(git: Git, worktree: string): Promise<WorktreeStatus> {
  const [{ head, branch, changes }, inside] = await Promise.all([ownStatus({ git, at: worktree }), changedSubmodules(git, worktree)]);
  const known = new Set(changes.map(({ path }) => path));
  const more = inside.filter((path) => !known.has(path)).map((path) => ({ path, kind: 'changed' }) as const);
  return { head, branch, changes: [...changes, ...more] };
}

/** The same; undefined if git cannot read the worktree. Then nothing is known about it, and only a rescue may decide what is safe. */
export const readableStatus = (git: Git, worktree: string): Promise<WorktreeStatus | undefined> =>
  readStatus(git, worktree).catch((error: unknown) => {
    if (findRefusal(error) !== undefined) throw error;
    return undefined;
  });

export async function readCommitId(git: Git, at: string, revision = 'HEAD'): Promise<string> {
  return (await git.ok(shaCall(at, revision))).trim();
}

/** The tree of a commit. */
export async function readTreeId(git: Git, at: string, revision: string): Promise<string> {
  return (await git.ok(treeCall(at, revision))).trim();
}

/** Lists changed, unmerged and untracked paths, without ignored ones. */
export async function dirtyFiles(git: Git, worktree: string): Promise<string[]> {
  return (await readStatus(git, worktree)).changes.map((change) => change.path);
}

export async function commitsAhead(git: Git, at: string, base: string, tip = 'HEAD'): Promise<number> {
  return Number(await git.ok(aheadCall(at, base, tip)));
}

/** The newest commit that the first has in common with a merge of all others. Undefined if the histories have no commit in common. */
export async function mergeBase(git: Git, at: string, ...commits: readonly [string, string, ...string[]]): Promise<string | undefined> {
  const call = mergeBaseCall(at, commits);
  const answer = await git.run(call);
  if (answer.status > 1) throw gitFailed(call, answer);
  return answer.status === 0 ? answer.stdout.trim() : undefined;
}

export async function isAncestor(git: Git, at: string, ancestor: string, descendant: string): Promise<boolean> {
  const call = isAncestorCall(at, ancestor, descendant);
  const answer = await git.run(call);
  if (answer.status > 1) throw gitFailed(call, answer);
  return answer.status === 0;
}
