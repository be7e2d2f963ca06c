import { describeError } from '../../base/error.ts';
import type { WorkContext } from '../../workers/context.ts';
import { LOCK_KEYS } from '../../workers/lock-keys.ts';
import { dismissWorker } from '../../workers/tasks/run-worker.ts';
import { removeLeftWorktree } from '../../workers/worktree/left-worktrees.ts';
import { hasOpenWork } from '../store/sqlite-archive.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { archiveRun } from './archive-run.ts';
import { type Cleaning, type Kept, planCleaning } from './plan-cleaning.ts';

/** What a person has seen and agreed to. */
export interface CleanRequest extends Pick<Cleaning, 'runs' | 'workers' | 'left'> {
  readonly olderThanMs: number;
}

export interface Cleaned {
  readonly archived: readonly { readonly run: string; readonly folder: string }[];
  readonly removed: readonly { readonly worker: string; readonly rescued: string | null }[];
  readonly kept: readonly Kept[];
}

/** Removes these worktrees and archives these runs, each if it is still not needed. What fails is kept and named; the others go on. */
export async function cleanRoot(context: WorkContext, request: CleanRequest): Promise<Cleaned> {
  return await context.locks.withLock(LOCK_KEYS.clean, async () => {
    const kept: Kept[] = [];
    const removed: { worker: string; rescued: string | null }[] = [];
    const archived: { run: string; folder: string }[] = [];
    const attempt = async (name: string, work: () => Promise<void>): Promise<void> => {
      if (context.signal.aborted) return;
      await work().catch((error: unknown) => void kept.push({ name, reason: { kind: 'failed', message: describeError(error) } }));
    };
    const first = await stillUnneeded(context, request);
    for (const name of first.workers)
      await attempt(name, async () => {
        const { gone, rescued } = await dismissWorker(context, name);
        if (!gone) return void kept.push({ name, reason: { kind: 'person' } });
        removed.push({ worker: name, rescued });
        context.say(`Removed the worktree of ${name}.`);
      });
    for (const name of request.left)
      await attempt(name, async () => {
        const left = await removeLeftWorktree(context, name);
        if (left === 'in_use') return void kept.push({ name, reason: { kind: 'session' } });
        removed.push({ worker: name, rescued: left.rescued });
        context.say(`Removed the worktree of ${name}.`);
      });
    // Without their workers.
    const { runs } = await stillUnneeded(context, request);
    for (const run of runs)
      await attempt(run, async () => {
        archived.push({ run, folder: await archiveRun(context, run) });
        context.say(`Archived ${run}.`);
      });
    return { archived, removed, kept };
  });
}

/** A person may have recovered a run since, and a worker may have been given work. */
async function stillUnneeded({ store, clock }: WorkContext, { runs, workers, olderThanMs }: CleanRequest): Promise<Cleaning> {
  const plan = planCleaning(
    {
      runs: (await new SqliteRuns(store.database).list()).map((run) => ({ ...run, open: hasOpenWork(store.database, run.id) })),
      workers: Object.values(store.state.workers),
      left: [],
    },
    { runs: true, worktrees: true, olderThanMs },
    clock.now(),
  );
  return { ...plan, runs: plan.runs.filter((id) => runs.includes(id)), workers: plan.workers.filter((name) => workers.includes(name)) };
}
