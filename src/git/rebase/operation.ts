import { type Git, type GitCall, gitFailed, read, write } from '../run.ts';

export type Operation = 'rebase' | 'am' | 'merge' | 'cherry-pick' | 'revert' | 'bisect';

export interface Unfinished {
  readonly operation: Operation;
  /** The branch that the rebase moves at its end. HEAD is detached until then. */
  readonly branch: string | undefined;
}

/** Paths that git creates during an operation. In a worktree `.git` is a file, so ask git where they are. */
const MARKS: readonly (readonly [string, Operation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_START', 'bisect'],
];

const marksCall = (worktree: string): GitCall =>
  read(worktree, 'rev-parse', '--path-format=absolute', ...MARKS.flatMap(([mark]) => ['--git-path', mark]));

/** Ends the operation without changing branch or files. The checkout that follows sets both. */
const quitCall = (worktree: string, operation: string): GitCall => write(worktree, operation, '--quit');
const endBisectCall = (worktree: string): GitCall => write(worktree, 'bisect', 'reset', 'HEAD');

/** Returns the operation in progress in this worktree. */
export async function unfinishedOperation(git: Git, worktree: string): Promise<Unfinished | undefined> {
  const paths = (await git.ok(marksCall(worktree))).trimEnd().split('\n');
  for (const [index, [mark, operation]] of MARKS.entries()) {
    const path = paths[index];
    if (path === undefined || !(await git.files.exists(path))) continue;
    const head = mark.startsWith('rebase-')
      ? await git.files.readText(`${path}/head-name`)
      : mark === 'BISECT_START'
        ? await git.files.readText(path)
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
    const call = unfinished.operation === 'bisect' ? endBisectCall(worktree) : quitCall(worktree, unfinished.operation);
    const answer = await git.run(call);
    if (answer.status !== 0) throw gitFailed(call, answer);
    unfinished = await unfinishedOperation(git, worktree);
  }
}
