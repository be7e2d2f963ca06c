import { fetchMain } from '../git/source/fetch.ts';
import { resetInPlace } from '../git/worktree/reset.ts';
import { cancelDeliveries } from '../store/tables/deliveries.ts';
import { abandonLandings } from '../store/tables/landings.ts';
import { abandonResolutions } from '../store/tables/resolutions.ts';
import type { WorkContext } from './context.ts';
import { mainBranch } from './landing/main-branch.ts';
import { putBackBeforeSaving } from './rebase/give-back.ts';
import { commitMove } from './status/commit-move.ts';
import { copyFiles } from './worktree/prepare-worktree.ts';
import { repairWorktree } from './worktree/repair-worktree.ts';
import { endBeforeSaving, saveWork } from './worktree/save-work.ts';

export interface ResetResult {
  readonly worker: string;
  /** The rescue of its work; null if there was nothing to save. */
  readonly rescued: string | null;
}

/** Saves a worker's work, resets its worktree to main, starts a new conversation and makes it idle. */
export async function resetWorker(context: WorkContext, name: string): Promise<ResetResult> {
  return await context.locks.withLock(name, () => resetLocked(context, name));
}

/** The caller has the worker's lock. */
export async function resetLocked(context: WorkContext, name: string): Promise<ResetResult> {
  const { store, git, layout, clock } = context;
  const worker = store.worker(name);
  const config = await context.config();
  const branch = await mainBranch(context, config);
  await endBeforeSaving(context, worker, branch, 'reset');
  const main = await fetchMain(git, layout.root, branch, config.repo.source);
  const repaired = await repairWorktree(context, name);
  await putBackBeforeSaving(context, name);
  const rescued = (await saveWork(context, name, branch, 'reset'))?.name ?? repaired ?? null;
  await resetInPlace(git, worker.worktree_path, main, worker.branch);
  await copyFiles(context, config, worker.worktree_path);
  commitMove(context, name, 'reset', {
    why: rescued === null ? 'there was nothing to save' : `its work is saved as ${rescued}`,
    fields: {
      current_prompt: null,
      commit_sha: null,
      base_commit: main,
      reviewed_patch_id: null,
      attention: null,
      crash_count: 0,
      stand_in: null,
      conversation_used: false,
    },
    rows: (database) => {
      cancelDeliveries(database, name, { kind: 'worker_reset' }, clock.now());
      abandonLandings(database, name, 'the worker was reset', clock.now());
      abandonResolutions(database, name, clock.now());
    },
  });
  await context.agents.restart(name);
  return { worker: name, rescued };
}
