import type { Instant } from '../../base/ports.ts';
import type { Database } from '../../store/database.ts';
import { endGiven, reopenGiven } from '../../store/tables/queue.ts';
import type { WorkerEvent } from '../status/transitions.ts';

/** What a move of a worker means for the task that it has. */
export function followTask(database: Database, worker: string, event: WorkerEvent, now: Instant): void {
  switch (event) {
    case 'accepted':
    case 'finished':
    case 'dismissed':
      return endGiven(database, worker, 'done', now);
    case 'reset':
      return endGiven(database, worker, 'dropped', now);
    case 'taken_back':
      return reopenGiven(database, worker);
    default:
  }
}
