import type { Action, Task } from '../model/action.ts';
import type { Run } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import { messagePrompt } from '../next/compose-prompt.ts';
import type { PerformContext, Performed } from './context.ts';
import { toIncoming } from './letters.ts';

/** Tells an agent more about its task, with the messages that came meanwhile. */
export async function performFollowUp(
  { workers, exchange }: PerformContext,
  run: Run,
  { id }: Action,
  { seat, text, letters }: Extract<Task, { kind: 'follow_up' }>,
): Promise<Performed> {
  const worker = runWorkerName(run.id, seat);
  const view = workers.view(worker);
  // It was removed while the run had ended, or by a person, or its task was lost with the database: the task begins again.
  if (view?.continues !== true) return { kind: 'lost', action: id };
  await exchange.add(view.worktree, toIncoming(id, letters));
  await workers.followUp({ id, worker, text });
  return { kind: 'given', action: id };
}

/** Interrupts an agent at its work, and tells it to leave what it has. */
export async function performSave(
  { workers }: PerformContext,
  run: Run,
  { id }: Action,
  { seat, text }: Extract<Task, { kind: 'save' }>,
): Promise<Performed> {
  const worker = runWorkerName(run.id, seat);
  if (workers.view(worker)?.continues !== true) return { kind: 'lost', action: id };
  await workers.followUp({ id, worker, text, interrupt: true });
  return { kind: 'given', action: id };
}

/** Passes a message on to an agent at work. One whose turn has ended since gets it with its next task. */
export async function performDeliver(
  { workers }: PerformContext,
  run: Run,
  { id }: Action,
  { seat, to, from, text }: Extract<Task, { kind: 'deliver' }>,
): Promise<Performed> {
  const isQueued = await workers.deliver({ id, worker: runWorkerName(run.id, seat), text: messagePrompt(from, text) });
  return isQueued ? null : { kind: 'undelivered', action: id, to, from, text };
}
