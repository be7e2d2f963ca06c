import { type Commit, commitsBetween } from './commits.ts';
import { type Change, type ChangeOptions, changeIn } from './diff.ts';
import { mergeBase, readCommitId } from './inspect.ts';
import { type FormerMains, readWorkRange, unrelatedHistory } from './rebase/former-main.ts';
import { type Git, type GitCall, gitCommand } from './run.ts';
import { requireSandbox } from './walls.ts';
import { readWorkingTree, type WorkingTree } from './working-tree.ts';

/** Work as it is now: its commits and what is not committed yet. */
export interface WorkingChange extends Pick<WorkingTree, 'uncommitted' | 'leftOut' | 'unread'> {
  /** The newest commit that the work has in common with main, as it is or was. */
  readonly base: string;
  readonly head: string;
  /** Oldest first. */
  readonly commits: readonly Commit[];
  /** From the base to the files. */
  readonly change: Change;
}

export interface WorkingPlace {
  readonly root: string;
  readonly worktree: string;
  /** The tracking ref of main. */
  readonly main: string;
  readonly former: FormerMains;
}

const TIMEOUT_MS = 60_000;

/** Reads work in progress. Takes no lock and changes nothing, so the agent may be at work, and llmc too. */
export async function readWorkingChange(
  git: Git,
  { root, worktree, main, former }: WorkingPlace,
  options: ChangeOptions,
  signal: AbortSignal,
): Promise<WorkingChange> {
  const [head, { upstreams }] = await Promise.all([readCommitId(git, worktree), readWorkRange(git, worktree, main, 'HEAD', former)]);
  const base = await mergeBase(git, worktree, head, ...upstreams);
  if (base === undefined) throw unrelatedHistory(worktree, main);
  await using files = await readWorkingTree(git, root, worktree, head, signal);
  const wall = git.walls.around(worktree);
  const run = async (call: GitCall) => {
    const command = gitCommand(call);
    const finished = await git.processes.run(wall?.enclose(command) ?? command, { timeoutMs: TIMEOUT_MS, signal });
    if (wall !== undefined) requireSandbox(finished, wall);
    return finished;
  };
  const [commits, change] = await Promise.all([
    commitsBetween(git, worktree, base, head, upstreams.slice(1)),
    changeIn(files, base, files.tree, options, run),
  ]);
  const { uncommitted, leftOut, unread } = files;
  return { base, head, commits, change, uncommitted, leftOut, unread };
}
