import type { Action, Task } from '../model/action.ts';
import type { Run } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import type { PerformContext, Performed, Performing } from './context.ts';
import { postMessages } from './left/messages.ts';
import { keepPartial } from './left/partial.ts';

/** Stops an agent at its work, and keeps what it had left so far, if its run may keep that. */
export async function performHalt(
  context: PerformContext,
  run: Run,
  action: Action,
  { seat, tried, attempt, stored = {}, keeps }: Extract<Task, { kind: 'halt' }>,
  performing: Pick<Performing, 'post'>,
): Promise<Performed> {
  const { workers, fault } = context;
  const name = runWorkerName(run.id, seat);
  await workers.halt(name);
  await fault('halt:before-partial');
  const view = workers.view(name);
  // A worker that had not begun this piece of work has the files of another one.
  if (view === undefined || view.task === null || !tried.includes(view.task)) return null;
  const { worktree } = view;
  await postMessages(context, run, action, { worktree, tried }, performing);
  if (keeps !== false) await keepPartial(context, { run: run.id, step: action.step, attempt, stored, worktree });
  return null;
}
