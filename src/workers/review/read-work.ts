import { LlmcError } from '../../base/error.ts';
import { type Commit, commitsBetween } from '../../git/commits.ts';
import { type Change, readChange } from '../../git/diff.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { dirtyFiles, mergeBase } from '../../git/inspect.ts';
import { patchIdOf } from '../../git/landing/patch.ts';
import { trackingRef } from '../../git/refs.ts';
import { type Git, type GitCall, outside, read } from '../../git/run.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import type { OnMain } from '../landing/refresh-review.ts';

/** Where work is, relative to main. */
interface Standing {
  readonly base: string;
  readonly head: string;
  /** The newest main that llmc knows. */
  readonly main: string;
  readonly uncommitted: readonly string[];
}

/** What git says about work that waits for a review. */
export interface ReadWork extends Standing {
  readonly commits: readonly Commit[];
  readonly change: Change;
  readonly patchId: string;
}

const commitsCall = (at: string, ...names: readonly string[]): GitCall => read(at, 'rev-parse', ...names.map((name) => `${name}^{commit}`));

/** `onMain`: what is known about work that is on main. */
export async function readWork(context: WorkContext, worker: Worker, branch: string, onMain?: OnMain): Promise<ReadWork> {
  const { git, layout } = context;
  const at = worker.worktree_path;
  await exchange(git, layout.root, at);
  // Of a sandboxed worker, show what was taken out of its sandbox and checked: a git inside may show anything.
  const seen = outside(git);
  const isSandboxed = git.walls.around(at) !== undefined;
  const { base, head, main, uncommitted } =
    onMain === undefined || isSandboxed ? await standingOf(git, worker, branch) : { ...onMain, base: onMain.main };
  const [commits, change, patchId] = await Promise.all([
    commitsBetween(seen, at, base, head),
    readChange(seen, layout.root, base, head),
    patchIdOf(git, layout.root, base, head),
  ]);
  return { base, head, main, uncommitted, commits, change, patchId };
}

async function standingOf(git: Git, { name, branch, worktree_path: at }: Worker, mainBranch: string): Promise<Standing> {
  const seen = outside(git);
  const tracking = trackingRef(mainBranch);
  const [base, [head = '', main = ''], uncommitted] = await Promise.all([
    mergeBase(seen, at, tracking, 'HEAD'),
    seen.ok(commitsCall(at, 'HEAD', tracking)).then((ids) => ids.trim().split('\n')),
    dirtyFiles(git, at),
  ]);
  if (base === undefined)
    throw new LlmcError('GIT_FAILED', `${branch} has no history in common with main`, { hint: `llmc attach ${name}` });
  return { base, head, main, uncommitted };
}
