import { dirname } from 'node:path';
import { forgetImported } from '../../git/exchange/leave.ts';
import { dropRebaseRecord } from '../../git/rebase/rebase-record.ts';
import { removeWorktree } from '../../git/worktree/worktree.ts';
import { forgetClocks } from '../../store/tables/clocks.ts';
import { forgetDeliveries } from '../../store/tables/deliveries.ts';
import { forgetEvents } from '../../store/tables/events.ts';
import { forgetLadder } from '../../store/tables/ladders.ts';
import { abandonLandings } from '../../store/tables/landings.ts';
import { endGiven } from '../../store/tables/queue.ts';
import { abandonResolutions } from '../../store/tables/resolutions.ts';
import type { Outcome } from '../../store/tables/tasks.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { putBackBeforeSaving } from '../rebase/give-back.ts';
import { endReview } from '../review/drafts.ts';
import { openTask } from '../tasks/owner.ts';
import { reportTo } from '../tasks/report-to.ts';
import { saveUnkept } from './save-unkept.ts';
import { endBeforeSaving } from './save-work.ts';

/** Ends a worker's agent, saves its work and removes its worktree. Returns the name of the rescue. The caller has the worker's lock. */
export async function saveAndRemoveWorktree(context: WorkContext, name: string, reason: string): Promise<string | null> {
  const { store, git, layout } = context;
  const worker = store.worker(name);
  const branch = await mainBranch(context, await context.config());
  await endBeforeSaving(context, worker, branch, reason);
  await putBackBeforeSaving(context, name);
  const saved = await saveUnkept(context, name, branch, reason);
  await removeWorktree(git, layout.root, name, worker.worktree_path);
  dropRebaseRecord(worker.worktree_path);
  await forgetImported(git, layout.root, name);
  return saved?.name ?? null;
}

/** Removes what llmc keeps about a worker. `outcome`: of its open task. */
export function forgetWorker(context: WorkContext, name: string, rescued: string | null, outcome: Outcome): void {
  const { store, layout, clock, files } = context;
  const worker = store.worker(name);
  const review = endReview(context, name);
  store.commit({
    worker: name,
    kind: 'removed',
    ...review.said,
    summary: rescued === null ? 'removed; it had nothing to save' : `removed; its work is saved as ${rescued}`,
    state: (draft) => {
      delete draft.workers[name];
      if (draft.last_reviewed_worker === name) draft.last_reviewed_worker = null;
    },
    rows: (database) => {
      // A new worker with the same name starts at incarnation 1 and must not inherit these rows.
      forgetDeliveries(database, name);
      forgetEvents(database, name);
      forgetLadder(database, name);
      forgetClocks(database, name);
      review.rows(database);
      endGiven(database, name, 'dropped', clock.now());
      abandonLandings(database, name, 'the worker was removed', clock.now());
      abandonResolutions(database, name, clock.now());
      if (openTask(worker) !== undefined) reportTo(database, worker, outcome, clock.now());
    },
  });
  for (const path of [layout.spool(name), layout.scratch(name), layout.sandbox(name), dirname(layout.agentSocket(name))])
    files.remove(path);
}
