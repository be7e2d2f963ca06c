import { LlmcError } from '../../base/error.ts';
import { type Commit, commitsBetween } from '../../git/commits.ts';
import { type Change, readChange } from '../../git/diff.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { dirtyFiles, mergeBase } from '../../git/inspect.ts';
import { patchIdOf } from '../../git/landing/patch.ts';
import { trackingRef } from '../../git/refs.ts';
import { type GitCall, outside, read } from '../../git/run.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';

/** What git says about work that waits for a review. */
export interface ReadWork {
  readonly base: string;
  readonly head: string;
  /** The newest main that llmc knows. */
  readonly main: string;
  readonly uncommitted: readonly string[];
  readonly commits: readonly Commit[];
  readonly change: Change;
  readonly patchId: string;
}

const commitsCall = (at: string, ...names: readonly string[]): GitCall => read(at, 'rev-parse', ...names.map((name) => `${name}^{commit}`));

export async function readWork({ git, layout }: WorkContext, worker: Worker, branch: string): Promise<ReadWork> {
  const at = worker.worktree_path;
  const tracking = trackingRef(branch);
  await exchange(git, layout.root, at);
  // Of a sandboxed worker, show what was taken out of its sandbox and checked: a git inside may show anything.
  const seen = outside(git);
  const [base, [head = '', main = ''], uncommitted] = await Promise.all([
    mergeBase(seen, at, tracking, 'HEAD'),
    seen.ok(commitsCall(at, 'HEAD', tracking)).then((ids) => ids.trim().split('\n')),
    dirtyFiles(git, at),
  ]);
  if (base === undefined)
    throw new LlmcError('GIT_FAILED', `${worker.branch} has no history in common with main`, { hint: `llmc attach ${worker.name}` });
  const [commits, change, patchId] = await Promise.all([
    commitsBetween(seen, at, base, head),
    readChange(seen, layout.root, base, head),
    patchIdOf(git, layout.root, base, head),
  ]);
  return { base, head, main, uncommitted, commits, change, patchId };
}
