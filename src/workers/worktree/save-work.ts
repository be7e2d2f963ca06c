import { refusalOf } from '../../base/refusal.ts';
import { trackingRef } from '../../git/refs.ts';
import { type Rescued, requireWhole, rescue, rescueCommit } from '../../git/rescue/rescue.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { endAgent } from './end-agent.ts';

/** Saves a worker's work that main does not have to a rescue ref, before it is destroyed. Throws if a part cannot be saved. */
export async function saveWork(context: WorkContext, name: string, branch: string, reason: string): Promise<Rescued | undefined> {
  const { git, layout, store, clock } = context;
  const worker = store.worker(name);
  const { worktree_path: worktree } = worker;
  const saved = await rescue(git, {
    ...{ root: layout.root, worktree, worker: name, base: trackingRef(branch), reason, task: taskOf(worker), now: clock.now() },
  });
  if (saved !== undefined) store.commit({ worker: name, kind: 'rescue', summary: `work saved as ${saved.name} (${reason})` });
  requireWhole(saved, worktree);
  return saved;
}

/** Saves a commit of a worker that no branch names any more. Safe to repeat: the same commit is one rescue. */
export async function saveCommit(
  context: WorkContext,
  name: string,
  commit: string,
  { base, reason }: { base: string; reason: string },
): Promise<Rescued> {
  const { git, layout, store, clock } = context;
  const worker = store.worker(name);
  const request = { root: layout.root, worktree: worker.worktree_path, worker: name, base, reason, task: taskOf(worker), now: clock.now() };
  return await rescueCommit(git, request, commit);
}

/**
 * Ends a worker's agent, which must not write while its work is being saved. Tries to save first: a full disk should not cost
 * the agent for nothing. Ignores other errors of this try, because the agent may be writing. Unchanged work saved twice is one rescue.
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
    task: taskOf(worker),
    now: clock.now(),
  };
  await rescue(git, trial).catch((error: unknown) => {
    if (refusalOf(error) !== undefined) throw error;
  });
  await endAgent(context, worker);
}

/** For the list of rescues: the first line, as short as a subject. */
function taskOf({ current_prompt: prompt }: Worker): string | undefined {
  const line = prompt?.trim().split('\n')[0]?.trim() ?? '';
  return line === '' ? undefined : [...line].slice(0, 100).join('');
}
