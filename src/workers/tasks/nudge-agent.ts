import { shortId } from '../../base/short-id.ts';
import { findDelivery, withdrawNudges } from '../../store/tables/deliveries.ts';
import { findTask, insertTask } from '../../store/tables/tasks.ts';
import type { WorkContext } from '../context.ts';
import { prepareDelivery } from '../prompt/enqueue.ts';
import type { FollowUpRequest } from './follow-up.ts';
import { openTask } from './owner.ts';

/**
 * Asks the agent how far the task of its run is, in the place of an earlier question that still waits. The task stays the same: what
 * becomes of it is reported under the id of the task, and that the agent has the question under the id of the question. Nothing is asked
 * once the turn is over. Safe to repeat.
 */
export async function nudgeAgent(context: WorkContext, { id, worker: name, text, interrupt }: FollowUpRequest): Promise<void> {
  await context.locks.withLock(name, async () => {
    const { database } = context.store;
    if (findDelivery(database, id) === undefined) ask(context, { id, worker: name, text });
    const state = findDelivery(database, id)?.state;
    if (interrupt === true && (state === 'queued' || state === 'held')) await context.agents.interrupt(name);
  });
}

function ask(context: WorkContext, { id, worker: name, text }: FollowUpRequest): void {
  const { store, clock } = context;
  const open = openTask(store.worker(name));
  const task = open === undefined ? undefined : findTask(store.database, open);
  if (task === undefined) return;
  const delivery = prepareDelivery(context, { id, worker: name, purpose: 'nudge', text, freshConversation: false });
  store.commit({
    worker: name,
    kind: 'delivery',
    summary: `${shortId(id)}: its run asks how far its task is`,
    rows: (database) => {
      withdrawNudges(database, name, 'asked_again');
      insertTask(database, { ...task, id, kind: 'nudge', created_ms: clock.now() });
      delivery.write(database);
    },
  });
}
