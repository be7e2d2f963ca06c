import { type Git, type GitCall, gitFailed, read, write } from '../run.ts';

export type Operation = 'rebase' | 'am' | 'merge' | 'cherry-pick' | 'revert' | 'bisect';

export interface Unfinished {
  readonly operation: Operation;
  /** The branch a rebase will move when it ends; HEAD is detached meanwhile. */
  readonly branch: string | undefined;
}

/** In a worktree `.git` is a file, so only git knows where these marks lie. */
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

/** Forgets the operation and leaves branch and files to the checkout that follows. */
const quitCall = (worktree: string, operation: string): GitCall => write(worktree, operation, '--quit');
const endBisectCall = (worktree: string): GitCall => write(worktree, 'bisect', 'reset', 'HEAD');

/** What someone began in this worktree and has not ended. */
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

/** Before files and branch are set anew: whatever was under way is forgotten. */
export async function endOperation(git: Git, worktree: string): Promise<void> {
  // A merge may hide behind a rebase, so look again after each.
  for (let unfinished = await unfinishedOperation(git, worktree), tries = 0; unfinished !== undefined && tries < 4; tries += 1) {
    const call = unfinished.operation === 'bisect' ? endBisectCall(worktree) : quitCall(worktree, unfinished.operation);
    const answer = await git.run(call);
    if (answer.status !== 0) throw gitFailed(call, answer);
    unfinished = await unfinishedOperation(git, worktree);
  }
}
