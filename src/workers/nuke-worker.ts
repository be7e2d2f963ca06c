import { removeWorker } from '../config/edit.ts';
import type { WorkContext } from './context.ts';
import { editConfig } from './edit-config.ts';
import { forgetWorker, saveAndRemoveWorktree } from './worktree/remove-worker.ts';

export interface NukeResult {
  readonly worker: string;
  readonly rescued: string | null;
}

/** Removes a worker permanently, after saving its work to a rescue ref. Safe to repeat after a crash. */
export async function nukeWorker(context: WorkContext, name: string): Promise<NukeResult> {
  return await context.locks.withLock(name, async () => {
    const rescued = await saveAndRemoveWorktree(context, name, 'nuke');
    // A worker of a run has no entry there.
    if (context.store.worker(name).run === null) editConfig(context.layout.config, (text) => removeWorker(text, name));
    forgetWorker(context, name, rescued, { kind: 'lost', why: 'a person removed its worker' });
    return { worker: name, rescued };
  });
}
