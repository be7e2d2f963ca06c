import { isDiskFull } from '../../base/disk-full.ts';
import { trackingRef } from '../../git/refs.ts';
import { type Rescued, requireWhole, rescue } from '../../git/rescue/rescue.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { endAgent } from './end-agent.ts';

/** Puts whatever a worker has that main has not under a rescue ref, before something is destroyed; throws when a part of it cannot be saved. */
export async function saveWork(context: WorkContext, name: string, branch: string, reason: string): Promise<Rescued | undefined> {
  const { git, layout, store, clock } = context;
  const { worktree_path: worktree } = store.worker(name);
  const saved = await rescue(git, { root: layout.root, worktree, worker: name, base: trackingRef(branch), reason, now: clock.now() });
  if (saved !== undefined) store.commit({ worker: name, kind: 'rescue', summary: `work saved as ${saved.name} (${reason})` });
  requireWhole(saved, worktree);
  return saved;
}

/**
 * Ends a worker's agent: it must not write while its work is being saved. Before that one trial, so that a full disk does not cost
 * the agent for nothing; whatever else goes wrong in it may only be the agent's own writing. Saved twice unchanged it is one rescue.
 */
export async function endBeforeSaving(context: WorkContext, worker: Worker, branch: string, reason: string): Promise<void> {
  const { git, layout, clock } = context;
  const { name, worktree_path: worktree } = worker;
  const trial = {
    root: layout.root,
    worktree,
    worker: name,
    base: trackingRef(branch),
    reason,
    now: clock.now(),
  };
  await rescue(git, trial).catch((error: unknown) => {
    if (isDiskFull(error)) throw error;
  });
  await endAgent(context, worker);
}
