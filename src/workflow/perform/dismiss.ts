import { describeError } from '../../base/error.ts';
import type { Action, Task } from '../model/action.ts';
import type { Run } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import type { PerformContext, Performed } from './context.ts';

/** Removes a worker of a run that has ended. One that a person still has stays, and so does one whose work cannot be saved. */
export async function performDismiss(
  { workers, fault }: PerformContext,
  run: Run,
  { id: action }: Action,
  { seat }: Extract<Task, { kind: 'dismiss' }>,
): Promise<Performed> {
  await fault('dismiss:before-remove');
  try {
    const isGone = await workers.dismiss(runWorkerName(run.id, seat));
    return isGone ? null : { kind: 'kept', action, seat, why: 'a person has not decided about its work' };
  } catch (error) {
    return { kind: 'kept', action, seat, why: describeError(error) };
  }
}
