import { isDeepStrictEqual } from 'node:util';
import { dirtyFiles } from '../../git/inspect.ts';
import { rebaseOnto } from '../../git/rebase/rebase.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import type { Worker } from '../../store/state.ts';
import { tipOfWork } from '../branch/run-base.ts';
import type { WorkContext } from '../context.ts';
import { isOnlyAnswer } from '../status/only-answer.ts';
import { reviewAttention } from '../status/review-attention.ts';
import { standing } from '../status/transitions.ts';
import { collectFormerMains, withLeftOut } from './former-mains.ts';
import { mainBranch } from './main-branch.ts';

export interface Main {
  readonly branch: string;
  readonly sha: string;
}

/** Asks the source what its main branch is. */
export async function newestMain(context: WorkContext): Promise<Main> {
  const config = await context.config();
  const branch = await mainBranch(context, config);
  return { branch, sha: await fetchMain(context.git, context.layout.root, branch, config.repo.source) };
}

export function awaitsReview(worker: Worker | undefined): worker is Worker {
  return worker !== undefined && standing(worker) === 'needs_review';
}

/** Called when work conflicts. Starts its resolution and returns true, or leaves the conflict to a person. */
export type OnConflict = (name: string, main: Main, files: readonly string[]) => Promise<boolean>;

/** What was found about work that is on main. */
export interface OnMain {
  readonly main: string;
  readonly head: string;
  /** The paths of uncommitted changes. */
  readonly uncommitted: readonly string[];
}

export interface RefreshedReview {
  readonly rebased: boolean;
  /** If it was on main before. */
  readonly onMain?: OnMain;
}

/** Puts work that waits for review on main, or on the branch that its run lands on. A worktree with uncommitted changes, or in the middle of an operation, is left alone. */
export async function refreshReview(
  context: WorkContext,
  name: string,
  newest: Main,
  onConflict: OnConflict = async () => false,
): Promise<RefreshedReview> {
  const worker = context.store.state.workers[name];
  if (!awaitsReview(worker) || isOnlyAnswer(worker)) return LEFT;
  const main = await tipOfWork(context, await context.config(), worker, newest);
  const rebased = await rebaseOnto(context.git, worker.worktree_path, main.sha, collectFormerMains(context, worker, main.branch));
  switch (rebased.kind) {
    case 'up-to-date':
      // The agent resolved the conflicts itself.
      if (worker.conflicted_files.length > 0)
        note(context, worker, `no longer conflicts with ${main.branch}`, await withoutConflict(context, worker));
      return { rebased: false, onMain: { main: main.sha, head: rebased.head, uncommitted: rebased.changed } };
    case 'clean':
      note(context, worker, `rebased onto ${main.sha.slice(0, 12)}`, {
        commit_sha: rebased.head,
        base_commit: main.sha,
        ...(await withoutConflict(context, worker)),
        ...(await withLeftOut(context, worker, rebased.leftOut ?? [])),
      });
      return { rebased: true };
    case 'conflict': {
      if (await onConflict(name, main, rebased.files)) return LEFT;
      const fields = withConflict(worker, main.branch, rebased.files);
      if (!isDeepStrictEqual(fields, { attention: worker.attention, conflicted_files: worker.conflicted_files }))
        note(context, worker, `conflicts with ${main.branch} in ${rebased.files.join(', ')}`, fields);
      return LEFT;
    }
    case 'dirty':
    case 'busy':
      return LEFT;
  }
}

const LEFT: RefreshedReview = { rebased: false };

function note({ store }: WorkContext, { name }: Worker, summary: string, fields: Partial<Worker>): void {
  store.changeWorker(name, { kind: 'rebase', summary, change: (record) => Object.assign(record, fields) });
}

/** A conflict replaces "review it". Any other attention, such as an agent that ended too often, still holds. */
function withConflict({ attention }: Worker, branch: string, files: readonly string[]): Pick<Worker, 'attention' | 'conflicted_files'> {
  const replaced =
    attention === null ||
    attention.kind === 'review' ||
    attention.kind === 'commit_unchanged' ||
    attention.kind === 'conflict' ||
    attention.kind === 'resolved';
  return { attention: replaced ? { kind: 'conflict', branch, files: [...files] } : attention, conflicted_files: [...files] };
}

/** The end of a conflict brings back "review it". Any other attention stays. */
export async function withoutConflict({ git }: WorkContext, worker: Worker): Promise<Partial<Worker>> {
  const { attention, worktree_path: at } = worker;
  if (attention?.kind !== 'conflict' && attention?.kind !== 'conflict_given_up') return { conflicted_files: [] };
  return { attention: reviewAttention(worker, (await dirtyFiles(git, at)).length > 0), conflicted_files: [] };
}
