import { LlmcError } from '../../base/error.ts';
import { wholeDiff } from '../../git/diff.ts';
import { trackingRef } from '../../git/refs.ts';
import { readWorkingChange } from '../../git/working-change.ts';
import type { LeftOutPath } from '../../git/working-tree.ts';
import { isWorktreePresent } from '../../git/worktree/worktree.ts';
import type { Status } from '../../store/statuses.ts';
import { branchOfWork } from '../branch/run-base.ts';
import type { WorkContext } from '../context.ts';
import { collectFormerMains } from '../landing/former-mains.ts';
import { mainBranch } from '../landing/main-branch.ts';
import type { ReviewResult } from './review-result.ts';
import { reviewedFile } from './reviewed-file.ts';

export interface DiffRequest {
  readonly worker: string;
  readonly ignoreWhitespace?: boolean | undefined;
}

type Shared =
  | 'worker'
  | 'branch'
  | 'worktree'
  | 'base'
  | 'head'
  | 'task'
  | 'summary'
  | 'commits'
  | 'files'
  | 'stat'
  | 'diff'
  | 'uncommitted';

/** The work of a worker as it is now, in the shape of a review. */
export interface DiffResult extends Pick<ReviewResult, Shared> {
  readonly status: Status;
  /** Files that changed and whose lines are not in the diff. */
  readonly left_out: readonly { readonly path: string; readonly why: LeftOutPath['why'] | 'long' }[];
  /** What git could not read, in its own words. */
  readonly unread: readonly string[];
  readonly ignores_whitespace: boolean;
}

/**
 * Shows the commits of a worker and its uncommitted and new files, also while its agent works. Reads only: it takes no lock, rebases
 * nothing and does not count as a review.
 */
export async function diffWork(context: WorkContext, { worker: name, ignoreWhitespace = false }: DiffRequest): Promise<DiffResult> {
  const { git, layout, store, signal } = context;
  const worker = store.worker(name);
  if (!isWorktreePresent(layout.root, worker.worktree_path))
    throw new LlmcError('GIT_WORKTREE_FAILED', `${name} has no worktree`, { hint: 'llmc doctor --repair' });
  const config = await context.config();
  const branch = await branchOfWork(context, config, worker).catch(async () => await mainBranch(context, config));
  const former = collectFormerMains(context, worker, branch);
  const place = { root: layout.root, worktree: worker.worktree_path, main: trackingRef(branch), former };
  const { base, head, commits, change, uncommitted, leftOut, unread } = await readWorkingChange(git, place, { ignoreWhitespace }, signal);
  const isCommitted = unlessUncommitted(uncommitted);
  const left = new Set(leftOut.map(({ path }) => path));
  return {
    worker: name,
    branch: worker.branch,
    worktree: worker.worktree_path,
    status: worker.status,
    base,
    head,
    task: worker.current_prompt,
    summary: worker.summary,
    commits: commits.map(({ sha, message }) => ({ commit: sha, subject: message.split('\n')[0] ?? '' })),
    // The repository does not have what is not committed.
    files: change.files.map(reviewedFile).map((file) => (isCommitted(file.path) ? file : { ...file, after: null })),
    stat: change.stat,
    diff: wholeDiff(change),
    uncommitted,
    left_out: [...leftOut, ...change.omitted.filter((path) => !left.has(path)).map((path) => ({ path, why: 'long' as const }))],
    unread,
    ignores_whitespace: ignoreWhitespace,
  };
}

/** A name with a slash at its end stands for everything below it. */
function unlessUncommitted(uncommitted: readonly string[]): (path: string) => boolean {
  const names = new Set(uncommitted);
  const folders = uncommitted.filter((name) => name.endsWith('/'));
  return (path) => !names.has(path) && !folders.some((folder) => path.startsWith(folder));
}
