import { type Commit, commitsBetween } from '../../git/commits.ts';
import { type Change, readChange } from '../../git/diff.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { dirtyFiles, mergeBase } from '../../git/inspect.ts';
import { hashPatch } from '../../git/landing/patch.ts';
import { readWorkRange, unrelatedHistory } from '../../git/rebase/former-main.ts';
import { trackingRef } from '../../git/refs.ts';
import { type GitCall, outside, read } from '../../git/run.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { collectFormerMains } from '../landing/former-mains.ts';
import type { OnMain } from '../landing/refresh-review.ts';

/** Where work is, relative to main. */
interface Standing {
  readonly base: string;
  readonly head: string;
  /** The newest main that llmc knows. */
  readonly main: string;
  readonly uncommitted: readonly string[];
  /** Main, and what main was when the work began, if it was rewritten since. */
  readonly upstreams: readonly [string, ...string[]];
  /** Commits that main had once and has no more, and the work still has. */
  readonly leftOut: readonly string[];
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
  const standing: Standing =
    onMain === undefined || isSandboxed
      ? await readStanding(context, worker, branch)
      : { ...onMain, base: onMain.main, upstreams: [onMain.main], leftOut: [] };
  const { base, head, upstreams } = standing;
  const [commits, change, patchId] = await Promise.all([
    commitsBetween(seen, at, base, head, upstreams.slice(1)),
    readChange(seen, layout.root, base, head),
    hashPatch(git, layout.root, base, head),
  ]);
  return { ...standing, commits, change, patchId };
}

async function readStanding(context: WorkContext, worker: Worker, mainBranch: string): Promise<Standing> {
  const { git } = context;
  const { worktree_path: at } = worker;
  const seen = outside(git);
  const tracking = trackingRef(mainBranch);
  const [{ upstreams, leftOut }, [head = '', main = ''], uncommitted] = await Promise.all([
    readWorkRange(seen, at, tracking, 'HEAD', collectFormerMains(context, worker, mainBranch)),
    seen.ok(commitsCall(at, 'HEAD', tracking)).then((ids) => ids.trim().split('\n')),
    dirtyFiles(git, at),
  ]);
  const base = await mergeBase(seen, at, 'HEAD', ...upstreams);
  if (base === undefined) throw unrelatedHistory(at, main);
  return { base, head, main, uncommitted, upstreams, leftOut };
}
