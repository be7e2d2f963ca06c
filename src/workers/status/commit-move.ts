import type { Worker } from '../../store/state.ts';
import type { WorkerChange } from '../../store/store.ts';
import type { Outcome } from '../../store/tables/tasks.ts';
import type { WorkContext } from '../context.ts';
import { followTask } from '../queue/follow-task.ts';
import { followReview } from '../review/drafts.ts';
import { outcomeOf } from '../tasks/outcome-of.ts';
import { reportTo } from '../tasks/report-to.ts';
import { move, moveLine } from './move.ts';
import type { WorkerEvent } from './transitions.ts';

export interface Move extends Pick<WorkerChange, 'details' | 'rows' | 'recovers'> {
  readonly why: string;
  /** What changes with the status. */
  readonly fields?: Partial<Worker> | ((worker: Worker) => Partial<Worker>);
  readonly besides?: WorkerChange['change'];
  /** What it means for the task of a run, if the move alone does not say it. */
  readonly outcome?: Outcome;
}

/** Moves a worker and records why in the history. An illegal move throws and writes nothing. */
export function commitMove({ store, clock }: Pick<WorkContext, 'store' | 'clock'>, name: string, event: WorkerEvent, how: Move): void {
  const { why, fields = {}, besides, outcome, rows, ...rest } = how;
  const before = store.worker(name);
  const meant = outcome ?? outcomeOf(before, event, { why, fields: typeof fields === 'function' ? fields(before) : fields });
  store.changeWorker(name, {
    kind: 'status',
    summary: moveLine(before, event, why),
    ...rest,
    rows: (database) => {
      rows?.(database);
      reportTo(database, before, meant, clock.now());
      followTask(database, name, event, clock.now());
      followReview(database, name, event);
    },
    change: (worker, draft) => {
      move(worker, event, clock.now(), typeof fields === 'function' ? fields(worker) : fields);
      besides?.(worker, draft);
    },
  });
}
