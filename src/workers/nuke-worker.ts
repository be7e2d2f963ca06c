import { dirname } from 'node:path';
import { removeWorker } from '../config/edit.ts';
import { forgetImported } from '../git/exchange/leave.ts';
import { dropRebaseRecord } from '../git/rebase/rebase-record.ts';
import { removeWorktree } from '../git/worktree/worktree.ts';
import { forgetDeliveries } from '../store/tables/deliveries.ts';
import { forgetEvents } from '../store/tables/events.ts';
import { forgetLadder } from '../store/tables/ladders.ts';
import { abandonLandings } from '../store/tables/landings.ts';
import { abandonResolutions } from '../store/tables/resolutions.ts';
import type { WorkContext } from './context.ts';
import { editConfig } from './edit-config.ts';
import { mainBranch } from './landing/main-branch.ts';
import { putBackBeforeSaving } from './rebase/give-back.ts';
import { endBeforeSaving, saveWork } from './worktree/save-work.ts';

export interface NukeResult {
  readonly worker: string;
  readonly rescued: string | null;
}

/** Removes a worker permanently, after saving its work to a rescue ref. Safe to repeat after a crash. */
export async function nukeWorker(context: WorkContext, name: string): Promise<NukeResult> {
  const { store, git, layout, clock, files } = context;
  return await context.locks.withLock(name, async () => {
    const worker = store.worker(name);
    const branch = await mainBranch(context, await context.config());
    await endBeforeSaving(context, worker, branch, 'nuke');
    await putBackBeforeSaving(context, name);
    const saved = await saveWork(context, name, branch, 'nuke');
    const sandboxed = files.exists(layout.sandbox(name));
    await removeWorktree(git, layout.root, name, worker.worktree_path);
    dropRebaseRecord(worker.worktree_path);
    if (sandboxed) await forgetImported(git, layout.root, name);
    editConfig(layout.config, (text) => removeWorker(text, name));
    store.commit({
      worker: name,
      kind: 'removed',
      summary: saved === undefined ? 'removed; it had nothing to save' : `removed; its work is saved as ${saved.name}`,
      state: (draft) => {
        delete draft.workers[name];
        if (draft.last_reviewed_worker === name) draft.last_reviewed_worker = null;
      },
      rows: (database) => {
        // A new worker with the same name starts at incarnation 1 and must not inherit these rows.
        forgetDeliveries(database, name);
        forgetEvents(database, name);
        forgetLadder(database, name);
        abandonLandings(database, name, 'the worker was removed', clock.now());
        abandonResolutions(database, name, clock.now());
      },
    });
    for (const path of [layout.spool(name), layout.scratch(name), layout.sandbox(name), dirname(layout.agentSocket(name))])
      files.remove(path);
    return { worker: name, rescued: saved?.name ?? null };
  });
}
