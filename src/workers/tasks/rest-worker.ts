import { fault } from '../../base/fault.ts';
import type { Worker } from '../../store/state.ts';
import type { Outcome } from '../../store/tables/tasks.ts';
import type { WorkContext } from '../context.ts';
import { move } from '../status/move.ts';
import { standing } from '../status/transitions.ts';
import { endAgent } from '../worktree/end-agent.ts';
import { judgeOwner, openTask, requireRunWorker } from './owner.ts';
import { reportTo } from './report-to.ts';

/**
 * Ends the session of a run's worker and keeps its worktree and its conversation. `up` does not start it; the next task does.
 * A worker that a person sent back to work goes on. Safe to repeat.
 */
export async function restWorker(context: WorkContext, name: string, why = 'its run has nothing for it to do'): Promise<void> {
  await context.locks.withLock(name, async () => {
    const worker = context.store.worker(name);
    requireRunWorker(worker);
    if (judgeOwner(worker) === 'run' || standing(worker) === 'needs_review') await restLocked(context, name, why);
  });
}

/** Stops the agent in its turn, then lets the worker rest. Its task counts as halted. Safe to repeat. */
export async function haltWorker(context: WorkContext, name: string): Promise<void> {
  await context.locks.withLock(name, async () => {
    if (openTask(context.store.worker(name)) !== undefined) await context.agents.interrupt(name);
    await restLocked(context, name, 'its run stopped it');
  });
}

/** Starts the session of a resting worker again, in its conversation, without a task. Safe to repeat. */
export async function wakeWorker(context: WorkContext, name: string): Promise<void> {
  await context.locks.withLock(name, async () => {
    if (!requireRunWorker(context.store.worker(name)).resting) return;
    context.store.changeWorker(name, {
      kind: 'rest',
      summary: 'starts again for its run',
      change: ({ run }) => {
        if (run !== null) run.resting = false;
      },
    });
  });
}

/** The record comes first: if llmc is killed before the session ends, the session is that of a resting worker. */
export async function restLocked(context: WorkContext, name: string, why: string, outcome: Outcome = { kind: 'halted' }): Promise<void> {
  const { store, clock } = context;
  const worker = store.worker(name);
  if (!requireRunWorker(worker).resting) {
    store.changeWorker(name, {
      kind: 'rest',
      summary: `rests: ${why}`,
      change: (draft) => rest(draft, clock.now()),
      rows: (database) => {
        if (openTask(worker) !== undefined) reportTo(database, worker, outcome, clock.now());
      },
    });
    fault('rest:after-record');
  }
  await endAgent(context, worker);
}

/** In a draft: the worker goes offline on purpose. */
export function rest(worker: Worker, now: number): void {
  if (worker.run !== null) worker.run.resting = true;
  if (openTask(worker) !== undefined) move(worker, 'reset', now);
  if (worker.status !== 'offline') move(worker, 'went_offline', now);
}
