import { join } from 'node:path';
import { locateGit } from '../private/place.ts';
import { type Git, type GitCall, gitFailed, read, write } from '../run.ts';
import { filesAt } from '../walled-files.ts';

export type Operation = 'rebase' | 'am' | 'merge' | 'cherry-pick' | 'revert' | 'bisect';

export interface Unfinished {
  readonly operation: Operation;
  /** The branch that the rebase moves at its end. HEAD is detached until then. */
  readonly branch: string | undefined;
}

/** Paths that git creates during an operation. All of them are in the git directory of the worktree. */
const MARKS: readonly (readonly [string, Operation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_START', 'bisect'],
];

/** One path: it can contain a line feed. */
const gitDirCall = (worktree: string): GitCall => read(worktree, 'rev-parse', '--absolute-git-dir');

/** Ends the operation without changing branch or files. The checkout that follows sets both. */
const quitCall = (worktree: string, operation: string): GitCall => write(worktree, operation, '--quit');
/** With this ref, `bisect reset` leaves out its checkout, which would run git in each nested repository (git 2.39). */
const skipCheckoutCall = (worktree: string): GitCall => write(worktree, 'update-ref', '--no-deref', 'BISECT_HEAD', 'HEAD');
const endBisectCall = (worktree: string): GitCall => write(worktree, 'bisect', 'reset', 'HEAD');

/** The git directory of a worktree. Asks git only for a linked worktree of the user: an accept needs this twice, and a process costs 3 to 4 ms. */
export async function locateGitDir(git: Git, worktree: string): Promise<string> {
  const place = locateGit(git.guard?.root, worktree);
  if (place.kind === 'worktree') return place.gitDir;
  if ((await git.files.kindBeneath(worktree, '.git')) === 'folder') return join(worktree, '.git');
  return (await git.ok(gitDirCall(worktree))).replace(/\n$/, '');
}

/** Returns the operation in progress in this worktree. */
export async function unfinishedOperation(git: Git, worktree: string): Promise<Unfinished | undefined> {
  const gitDir = await locateGitDir(git, worktree);
  const files = filesAt(git, worktree);
  for (const [mark, operation] of MARKS) {
    const path = `${gitDir}/${mark}`;
    if (!(await files.exists(path))) continue;
    const head = mark.startsWith('rebase-')
      ? await files.readText(`${path}/head-name`)
      : mark === 'BISECT_START'
        ? await files.readText(path)
        : undefined;
    return { operation, branch: head?.trim().replace(/^refs\/heads\//, '') };
  }
  return undefined;
}

export async function rebaseInProgress(git: Git, worktree: string): Promise<boolean> {
  return (await unfinishedOperation(git, worktree))?.operation === 'rebase';
}

/** Ends every operation in progress, before branch and files are set again. */
export async function endOperation(git: Git, worktree: string): Promise<void> {
  // A rebase can hide a merge, so check again after each.
  for (let unfinished = await unfinishedOperation(git, worktree), tries = 0; unfinished !== undefined && tries < 4; tries += 1) {
    if (unfinished.operation === 'bisect') await git.ok(skipCheckoutCall(worktree));
    const call = unfinished.operation === 'bisect' ? endBisectCall(worktree) : quitCall(worktree, unfinished.operation);
    const answer = await git.run(call);
    if (answer.status !== 0) throw gitFailed(call, answer);
    unfinished = await unfinishedOperation(git, worktree);
  }
}
