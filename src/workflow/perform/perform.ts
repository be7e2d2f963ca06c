import { type Action, LASTING_KINDS } from '../model/action.ts';
import { listActions, type Run } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import { hasEnded } from '../next/next.ts';
import { performAttempt } from './attempt.ts';
import { performCheck } from './check.ts';
import { performCollect } from './collect.ts';
import type { PerformContext, Performed, Performing } from './context.ts';
import { performDeliver, performFollowUp, performSave } from './deliver.ts';
import { performDismiss } from './dismiss.ts';
import { performHalt } from './halt.ts';
import { performLand } from './land.ts';
import { performArchive } from './left/archive.ts';
import { performNudge } from './nudge.ts';
import { performUndo } from './undo.ts';

/** Performs one action of a run. Safe to repeat: the action's id says whether it happened. */
export async function perform(context: PerformContext, run: Run, action: Action, performing: Performing): Promise<Performed> {
  const { task } = action;
  const { workers } = context;
  switch (task.kind) {
    case 'attempt':
      return await performAttempt(context, run, action, task);
    case 'collect':
      return await performCollect(context, run, action, task, performing);
    case 'check':
      return await performCheck(context, run, action, task, performing);
    case 'land':
      return await performLand(context, run, action, task);
    case 'follow_up':
      return await performFollowUp(context, run, action, task);
    case 'save':
      return await performSave(context, run, action, task);
    case 'nudge':
      return await performNudge(context, run, action, task);
    case 'deliver':
      return await performDeliver(context, run, action, task);
    case 'rest': {
      const name = runWorkerName(run.id, task.seat);
      if (!isAwaited(run, workers.view(name)?.task ?? null)) await workers.rest(name);
      return null;
    }
    case 'halt':
      return await performHalt(context, run, action, task, performing);
    case 'archive':
      return await performArchive(context, run, action, task);
    case 'undo':
      return await performUndo(context, run, action, task);
    case 'dismiss':
      return await performDismiss(context, run, action, task);
  }
}

/**
 * Whether a step waits for the agent that has this task. A run that is paused and resumed within a second gives a task before the rest of
 * the pause is performed.
 */
function isAwaited({ steps }: Run, given: string | null): boolean {
  return Object.values(steps).some(({ state }) => given !== null && listActions(state).includes(given));
}

/** Whether the action is still wanted: a step waits for it, or it ends the use of a worker. */
export function isWanted({ steps, status }: Run, { id, task }: Action): boolean {
  // A run that was recovered meanwhile needs its workers.
  if (task.kind === 'dismiss') return hasEnded({ status });
  if (LASTING_KINDS.includes(task.kind)) return true;
  return Object.values(steps).some(({ state }) => listActions(state).includes(id));
}
