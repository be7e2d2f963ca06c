import { trackingRef } from '../git/refs.ts';
import { type Rescued, requireWhole, rescue } from '../git/rescue.ts';
import type { WorkContext } from './context.ts';

/** Puts whatever a worker has that main has not under a rescue ref, before something is destroyed; throws when a part of it cannot be saved. */
export async function saveWork(context: WorkContext, name: string, branch: string, reason: string): Promise<Rescued | undefined> {
  const { git, layout, store, clock } = context;
  const { worktree_path: worktree } = store.worker(name);
  const saved = await rescue(git, { root: layout.root, worktree, worker: name, base: trackingRef(branch), reason, now: clock.now() });
  if (saved !== undefined) store.commit({ worker: name, kind: 'rescue', summary: `work saved as ${saved.name} (${reason})` });
  requireWhole(saved, worktree);
  return saved;
}
