import { fault } from '../../base/fault.ts';
import { isLimit } from '../../recovery/usage-limit.ts';
import { ackedDeliveries, type Delivery, nextDelivery, recentDeliveries, updateDelivery } from '../../store/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { prepareDelivery } from '../../workers/prompt/enqueue.ts';
import { afterLimitPrompt, continuePrompt, taskPrompt } from '../../workers/prompt/prompts.ts';
import { standing } from '../../workers/status/transitions.ts';
import type { Watch } from '../observe/watch.ts';

type Ports = Pick<WorkContext, 'store' | 'clock' | 'random'>;

/**
 * Before a new start in the middle of a task: queues the word to go on. Queued first, so
 * that a crash before the launch neither forgets it nor says it twice. Not needed when the
 * prompt never reached the agent (it will be typed) or when the turn had ended already.
 */
export async function queueContinue(context: WorkContext, watch: Watch, conversation: 'resume' | 'fresh'): Promise<void> {
  const { store } = context;
  const worker = store.worker(watch.name);
  // One that asks is in the middle of its task too, and its dialog went with the agent.
  if (!['working', 'rejected', 'needs_input'].includes(standing(worker))) return;
  const acked = ackedDeliveries(store.database, watch.name);
  const endedTurn = watch.reported.lastTurn?.seq ?? 0;
  // A turn that ended at a usage limit has ended, and its task has not.
  const limited = isLimit(watch.reported.latest?.activity);
  const cutShort = acked.some((row) => limited || row.acked_event === null || row.acked_event > endedTurn);
  const waiting = nextDelivery(store.database, watch.name);
  // Written for a conversation that turned out to be lost: a bare "go on" would mean nothing in a new one.
  const stale = conversation === 'fresh' && waiting?.purpose === 'continue' ? waiting : undefined;
  if (!cutShort && stale === undefined) return;
  const text = conversation === 'resume' ? continuePrompt(worker.expects) : await wholeStory(context, watch.name, acked);
  putFirst(context, watch.name, text, 'to go on with the task after a new start', stale);
}

/** After a usage limit, to an agent that still stands where it was stopped. What it was stopped at is settled in the same moment, so that this is said once. */
export function queueContinueAfterLimit(context: Ports, name: string): void {
  putFirst(context, name, afterLimitPrompt(context.store.worker(name).expects), 'to go on after the usage limit');
  fault('limit:after-go-on');
}

function putFirst(context: Ports, name: string, text: string, what: string, stale?: Delivery): void {
  const { store, clock } = context;
  const delivery = prepareDelivery(context, { worker: name, purpose: 'continue', text, freshConversation: false });
  const waiting = nextDelivery(store.database, name);
  store.commit({
    worker: name,
    kind: 'delivery',
    summary: `${delivery.id.slice(0, 8)}: queued, ${what}`,
    rows: (database) => {
      for (const row of ackedDeliveries(database, name))
        updateDelivery(database, row.id, { state: 'done', done_ms: clock.now(), reason: { kind: 'cut_short' } });
      if (stale !== undefined) updateDelivery(database, stale.id, { state: 'failed', reason: { kind: 'told_again' } });
      delivery.write(database);
      // Ahead of what waits already: a message must not take the place of the task that was cut short.
      if (waiting !== undefined) updateDelivery(database, delivery.id, { seq: waiting.seq - 1 });
    },
  });
}

/** For a conversation that knows nothing: the task, and what was said last on top of it. */
async function wholeStory(context: WorkContext, name: string, acked: readonly Delivery[]): Promise<string> {
  const { store, layout } = context;
  const worker = store.worker(name);
  const task = worker.current_prompt === null ? [] : [taskPrompt(worker, layout.root, await context.config(), worker.current_prompt)];
  const earlier = recentDeliveries(store.database, name, 10).filter((row) => row.reason?.kind === 'cut_short');
  const last = [...acked.toReversed(), ...earlier].find((row) => row.purpose === 'feedback' || row.purpose === 'message');
  return [continuePrompt(worker.expects), ...task, ...(last === undefined ? [] : [last.text])].join('\n\n');
}
