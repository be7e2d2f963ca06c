import { LlmcError } from '../base/error.ts';
import { trackingRef } from '../git/refs.ts';
import { findRescue, listRescues } from '../git/rescue/rescue.ts';
import type { Rescue } from '../git/rescue/rescue-ref.ts';
import { restoreAsBranch, restoreInto, showRescue } from '../git/rescue/rescue-restore.ts';
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
}

/** Restores a rescue into an idle worker's worktree, or as a branch of the root if no worker is named. */
export async function restoreSaved(context: WorkContext, request: { name: string; into?: string | undefined }): Promise<RestoreResult> {
  const { git, layout, store, clock } = context;
  const rescue = await findRescue(git, layout.root, request.name);
  if (request.into === undefined)
    return { rescue: rescue.name, branch: await restoreAsBranch(git, layout.root, rescue), worker: null, replaced: null };
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
    // The next task must not replace restored work before the user has looked at it.
    commitMove(context, name, 'restored', {
      why: `${rescue.name} was put back`,
      fields: { attention: { kind: 'restored', rescue: rescue.name } },
    });
    return { rescue: rescue.name, branch: null, worker: name, replaced: previous?.name ?? null };
  });
}
