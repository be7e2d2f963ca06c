import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { shortId } from '../../base/short-id.ts';
import type { Database } from '../../store/database.ts';
import { putBeforeMessages, recentDeliveries, withdrawNudges } from '../../store/tables/deliveries.ts';
import { findTask, insertTask, type WorkerTask } from '../../store/tables/tasks.ts';
import type { WorkContext } from '../context.ts';
import { prepareDelivery } from '../prompt/enqueue.ts';
import { move } from '../status/move.ts';
import { standing } from '../status/transitions.ts';
import { requireRunWorker } from './owner.ts';

export interface FollowUpRequest {
  /** Of the follow-up and of its delivery; what becomes of it is reported under this id. */
  readonly id: string;
  readonly worker: string;
  readonly text: string;
  /** Interrupt the running turn instead of waiting for its end. */
  readonly interrupt?: boolean | undefined;
}

/**
 * Tells the agent more about its last task: it continues in its conversation, and the task still begins at the same commit and still
 * expects the same result. A resting worker starts again. Safe to repeat. Returns false if it was said before.
 */
export async function followUp(context: WorkContext, request: FollowUpRequest): Promise<boolean> {
  return await context.locks.withLock(request.worker, async () => {
    const said = findTask(context.store.database, request.id) !== undefined;
    if (!said) continueTask(context, request);
    if (!said && request.interrupt === true) await context.agents.interrupt(request.worker);
    return !said;
  });
}

function continueTask(context: WorkContext, { id, worker: name, text, interrupt = false }: FollowUpRequest): void {
  const { store, clock } = context;
  const worker = store.worker(name);
  const run = requireRunWorker(worker);
  const last = lastTask(context, run.task?.id, name);
  const whole = worker.conversation_used ? text : withTask(context, name, text);
  const delivery = prepareDelivery(context, { id, worker: name, purpose: 'message', text: whole, freshConversation: false });
  const now = clock.now();
  fault('follow-up:before-commit');
  store.changeWorker(name, {
    kind: 'status',
    summary: `${standing(worker)} → working (continued): more about its task (${shortId(id)})`,
    change: (draft) => {
      if (standing(draft) !== 'working') move(draft, standing(draft) === 'rejected' ? 'reset' : 'continued', now);
      if (standing(draft) === 'idle') move(draft, 'continued', now);
      Object.assign(draft, {
        attention: null,
        current_prompt: text,
        base_commit: last.base,
        expects: last.expects.kind === 'files' ? 'artifact' : last.expects.kind,
        run: { ...run, resting: false, task: { id, kind: 'work' } },
      });
    },
    rows: (database) => {
      insertTask(database, { ...last, id, kind: 'follow_up', created_ms: now });
      delivery.write(database);
      if (interrupt) goFirst(database, name, id);
    },
  });
  fault('follow-up:after-commit');
}

/** What waits for the end of the turn would otherwise begin one of its own before. */
function goFirst(database: Database, worker: string, id: string): void {
  withdrawNudges(database, worker, 'told_to_save');
  putBeforeMessages(database, worker, id);
}

function lastTask({ store }: WorkContext, id: string | undefined, name: string): WorkerTask {
  const task = id === undefined ? undefined : findTask(store.database, id);
  if (task !== undefined) return task;
  throw new LlmcError('WORKER_BUSY', `${name} has no task to continue`, { hint: `llmc why ${name}` });
}

/** A new conversation does not know the task. */
function withTask({ store }: WorkContext, name: string, text: string): string {
  const task = recentDeliveries(store.database, name, 50).find(({ purpose }) => purpose === 'task');
  return task === undefined ? text : `${task.text}\n\n${text}`;
}
