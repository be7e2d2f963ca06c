import { findRefusal } from '../../base/refusal.ts';
import { trackingRef } from '../../git/refs.ts';
import { type Rescued, type RescueRequest, requireWhole, rescueCommit, saveRescue } from '../../git/rescue/rescue.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { endAgent } from './end-agent.ts';

type SavingContext = Pick<WorkContext, 'git' | 'layout' | 'store' | 'clock'>;

/**
 * Saves a worker's work that main does not have to a rescue ref, before it is destroyed. Throws if a part cannot be saved.
 * `base`: what needs no rescue, if that is not main.
 */
export async function saveWork(
  context: SavingContext,
  name: string,
  branch: string,
  reason: string,
  base = trackingRef(branch),
): Promise<Rescued | undefined> {
  const { git, store } = context;
  const worker = store.worker(name);
  const saved = await saveRescue(git, toRequest(context, worker, base, reason));
  if (saved !== undefined) store.commit({ worker: name, kind: 'rescue', summary: `work saved as ${saved.name} (${reason})` });
  requireWhole(saved, worker.worktree_path);
  return saved;
}

function toRequest({ layout, clock }: SavingContext, worker: Worker, base: string, reason: string): RescueRequest {
  const { name, worktree_path: worktree, commit_sha, reviewed_commit } = worker;
  return {
    root: layout.root,
    worktree,
    worker: name,
    base,
    reason,
    task: describeTask(worker),
    now: clock.now(),
    commits: [commit_sha, reviewed_commit].filter((sha) => sha !== null),
  };
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
  const request = {
    root: layout.root,
    worktree: worker.worktree_path,
    worker: name,
    base,
    reason,
    task: describeTask(worker),
    now: clock.now(),
  };
  return await rescueCommit(git, request, commit);
}

/**
 * Ends a worker's agent, which must not write while its work is being saved. Tries to save first: a full disk should not cost
 * the agent for nothing. Ignores other errors of this try, because the agent may be writing. Unchanged work saved twice is one rescue.
 */
export async function endBeforeSaving(context: WorkContext, worker: Worker, branch: string, reason: string): Promise<void> {
  await saveRescue(context.git, toRequest(context, worker, trackingRef(branch), reason)).catch((error: unknown) => {
    if (findRefusal(error) !== undefined) throw error;
  });
  await endAgent(context, worker);
}

/** For the list of rescues: the first line, as short as a subject. */
function describeTask({ current_prompt: prompt }: Worker): string | undefined {
  const line = prompt?.trim().split('\n')[0]?.trim() ?? '';
  return line === '' ? undefined : [...line].slice(0, 100).join('');
}
