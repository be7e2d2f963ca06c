import type { Worker } from '../../store/state.ts';
import type { WorkerChange } from '../../store/store.ts';
import type { WorkContext } from '../context.ts';
import { move, moveLine } from './move.ts';
import type { WorkerEvent } from './transitions.ts';

export interface Move extends Pick<WorkerChange, 'details' | 'rows' | 'recovers'> {
  readonly why: string;
  /** What changes with the status. */
  readonly fields?: Partial<Worker> | ((worker: Worker) => Partial<Worker>);
  readonly besides?: WorkerChange['change'];
}

/** Moves a worker and records why in the history. An illegal move throws and writes nothing. */
export function commitMove({ store, clock }: Pick<WorkContext, 'store' | 'clock'>, name: string, event: WorkerEvent, how: Move): void {
  const { why, fields = {}, besides, ...rows } = how;
  store.changeWorker(name, {
    kind: 'status',
    summary: moveLine(store.worker(name), event, why),
    ...rows,
    change: (worker, draft) => {
      move(worker, event, clock.now(), typeof fields === 'function' ? fields(worker) : fields);
      besides?.(worker, draft);
    },
  });
}
