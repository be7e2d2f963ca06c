import { LlmcError } from '../base/error.ts';
import { exchange } from '../git/exchange/exchange.ts';
import { commitsAhead, readStatus } from '../git/inspect.ts';
import { trackingRef } from '../git/refs.ts';
import { findRescue, listRescues } from '../git/rescue/rescue.ts';
import type { Rescue } from '../git/rescue/rescue-ref.ts';
import { restoreAsBranch, restoreInto, showRescue } from '../git/rescue/rescue-restore.ts';
import { outside } from '../git/run.ts';
import type { Worker } from '../store/state.ts';
import type { WorkContext } from './context.ts';
import { mainBranch } from './landing/main-branch.ts';
import { commitMove } from './status/commit-move.ts';
import { predicateOf } from './status/status-words.ts';
import { standing } from './status/transitions.ts';

export async function listSaved(context: WorkContext, worker: string | undefined): Promise<readonly Rescue[]> {
  return await listRescues(context.git, context.layout.root, worker);
}

export async function showSaved(context: WorkContext, name: string): Promise<{ rescue: Rescue; diff: string }> {
  const { git, layout } = context;
  const rescue = await findRescue(git, layout.root, name);
  const base = trackingRef(await mainBranch(context, await context.config()));
  return { rescue, diff: await showRescue(git, layout.root, rescue, base) };
}

export interface RestoreResult {
  readonly rescue: string;
  /** The branch in the root, or the worker whose worktree now holds it. */
  readonly branch: string | null;
  readonly worker: string | null;
  readonly replaced: string | null;
  /** Whether it has a commit to review. */
  readonly reviewable: boolean;
}

/** Restores a rescue into an idle worker's worktree, or as a branch of the root if no worker is named. */
export async function restoreSaved(context: WorkContext, request: { name: string; into?: string | undefined }): Promise<RestoreResult> {
  const { git, layout, store, clock } = context;
  const rescue = await findRescue(git, layout.root, request.name);
  if (request.into === undefined)
    return {
      rescue: rescue.name,
      branch: await restoreAsBranch(git, layout.root, rescue),
      worker: null,
      replaced: null,
      reviewable: false,
    };
  const name = request.into;
  return await context.locks.withLock(name, async () => {
    const worker = store.worker(name);
    if (standing(worker) !== 'idle')
      throw new LlmcError('WORKER_BUSY', `${name} is not idle: it ${predicateOf(standing(worker))}`, {
        hint: `llmc reset ${name}, then restore`,
      });
    const base = trackingRef(await mainBranch(context, await context.config()));
    const target = {
      root: layout.root,
      worktree: worker.worktree_path,
      worker: name,
      base,
      reason: 'replaced by a restore',
      now: clock.now(),
      branch: worker.branch,
    };
    const previous = await restoreInto(git, target, rescue);
    const finished = await finishedWork(context, worker, base);
    const task = { current_prompt: rescue.task, ...{ reviewed_patch_id: null, reviewed_commit: null, reviewed_words: null } };
    // The next task must not replace restored work before the user has looked at it.
    if (finished === undefined)
      commitMove(context, name, 'restored', {
        why: `${rescue.name} was put back`,
        fields: { ...task, attention: { kind: 'restored', rescue: rescue.name } },
      });
    else commitMove(context, name, 'committed', { why: `${rescue.name} was put back, with a commit`, fields: { ...task, ...finished } });
    return { rescue: rescue.name, branch: null, worker: name, replaced: previous?.name ?? null, reviewable: finished !== undefined };
  });
}

/** What a review needs to know about work that has a commit; undefined for files alone, which only its agent can finish. */
async function finishedWork(
  { git, layout }: WorkContext,
  { worktree_path: at }: Worker,
  base: string,
): Promise<Partial<Worker> | undefined> {
  await exchange(git, layout.root, at);
  const [{ head = '', changes }, ahead] = await Promise.all([readStatus(git, at), commitsAhead(outside(git), at, base)]);
  return ahead === 0 ? undefined : { commit_sha: head, attention: { kind: 'review', uncommitted: changes.length > 0 } };
}
