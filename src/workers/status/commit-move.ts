import type { Worker } from '../../store/state.ts';
import type { WorkerChange } from '../../store/store.ts';
import type { Outcome } from '../../store/tables/tasks.ts';
import type { WorkContext } from '../context.ts';
import { followTask } from '../queue/follow-task.ts';
import { ENDS_REVIEW, endReview } from '../review/drafts.ts';
import { judgeTaskOutcome } from '../tasks/judge-task-outcome.ts';
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
export function commitMove(context: Pick<WorkContext, 'store' | 'clock' | 'say'>, name: string, event: WorkerEvent, how: Move): void {
  const { store, clock } = context;
  const { why, fields = {}, besides, outcome, rows, ...rest } = how;
  const before = store.worker(name);
  const ended = ENDS_REVIEW.includes(event) ? endReview(context, name) : undefined;
  const meant = outcome ?? judgeTaskOutcome(before, event, { why, fields: typeof fields === 'function' ? fields(before) : fields });
  store.changeWorker(name, {
    kind: 'status',
    summary: moveLine(before, event, why),
    ...rest,
    ...ended?.said,
    rows: (database) => {
      rows?.(database);
      reportTo(database, before, meant, clock.now());
      followTask(database, name, event, clock.now());
      ended?.rows(database);
    },
    change: (worker, draft) => {
      move(worker, event, clock.now(), typeof fields === 'function' ? fields(worker) : fields);
      besides?.(worker, draft);
    },
  });
}
