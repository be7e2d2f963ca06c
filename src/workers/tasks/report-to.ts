import type { Instant } from '../../base/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Worker } from '../../store/state.ts';
import { listTaskReports, type Outcome, reportOutcome } from '../../store/tables/tasks.ts';

/** Tells the run of a worker what became of its task, in the transaction of the caller. Without a run or an outcome it does nothing. */
export function reportTo(database: Database, { run }: Pick<Worker, 'run'>, outcome: Outcome | undefined, now: Instant): void {
  const task = run?.task?.id;
  if (task === undefined || outcome === undefined || isPointless(database, task, outcome)) return;
  reportOutcome(database, task, outcome, now);
}

/** An end without its beginning, or a beginning twice. */
function isPointless(database: Database, task: string, { kind }: Outcome): boolean {
  switch (kind) {
    case 'answered':
      return lastKind(database, task, ['asked', 'answered']) !== 'asked';
    case 'unparked':
      return !isParked(database, task);
    case 'parked':
      return isParked(database, task);
    default:
      return false;
  }
}

/** Whether the run knows that the worker waits, as for a usage limit. */
export function isParked(database: Database, task: string): boolean {
  return lastKind(database, task, ['parked', 'unparked']) === 'parked';
}

function lastKind(database: Database, task: string, kinds: readonly Outcome['kind'][]): Outcome['kind'] | undefined {
  return listTaskReports(database, task).findLast(({ outcome }) => kinds.includes(outcome.kind))?.outcome.kind;
}
