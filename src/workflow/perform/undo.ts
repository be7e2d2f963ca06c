import type { Action, Task } from '../model/action.ts';
import type { Run } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import type { PerformContext, Performed } from './context.ts';

/** Takes a landing back from main, or withdraws one that waits for a review. Safe to repeat. */
export async function performUndo(
  { workers, fault }: PerformContext,
  run: Run,
  { id }: Action,
  { seat, commit, offer }: Extract<Task, { kind: 'undo' }>,
): Promise<Performed> {
  await fault('run-undo:before-main');
  const revert = await workers.undo({ worker: runWorkerName(run.id, seat), commit, offer });
  await fault('run-undo:after-main');
  return { kind: 'undone', action: id, revert };
}
