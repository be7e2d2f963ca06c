import { fault } from '../../base/fault.ts';
import { isLimit } from '../../recovery/usage-limit.ts';
import type { Worker } from '../../store/state.ts';
import { ackedDeliveries, type Delivery, nextDelivery, recentDeliveries, updateDelivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { prepareDelivery } from '../../workers/prompt/enqueue.ts';
import { afterLimitPrompt, continueConflictPrompt, continuePrompt, taskPrompt } from '../../workers/prompt/prompts.ts';
import { standing } from '../../workers/status/transitions.ts';
import type { Watch } from '../observe/watch.ts';

type Ports = Pick<WorkContext, 'store' | 'clock' | 'random'>;

/**
 * Before a new start in the middle of a task: queues the prompt to continue. It is queued first, so
 * that a crash before the launch neither loses nor repeats it. It is not needed when the
 * prompt never reached the agent (llmc will type it) or when the turn had ended already.
 */
export async function queueContinue(context: WorkContext, watch: Watch, conversation: 'resume' | 'fresh'): Promise<void> {
  const { store } = context;
  const worker = store.worker(watch.name);
  // An agent that asks is in the middle of its task too, and its dialog ended with it.
  if (!['working', 'rejected', 'needs_input', 'rebasing'].includes(standing(worker))) return;
  const acked = ackedDeliveries(store.database, watch.name);
  const endedTurn = watch.reported.lastTurn?.seq ?? 0;
  // At a usage limit the turn has ended, and the task has not.
  const limited = isLimit(watch.reported.latest?.activity);
  const cutShort = acked.some((row) => limited || row.acked_event === null || row.acked_event > endedTurn);
  const waiting = nextDelivery(store.database, watch.name);
  // The stale prompt was written for a conversation that is lost: a bare "continue" would mean nothing in a new one.
  const stale = conversation === 'fresh' && waiting?.purpose === 'continue' ? waiting : undefined;
  if (!cutShort && stale === undefined) return;
  const text = conversation === 'resume' ? goOnPrompt(worker) : await wholeStory(context, watch.name, acked);
  putFirst(context, watch.name, text, 'to continue the task after a new start', stale);
}

/** Queues the prompt to continue after a usage limit, for an agent that still runs. The same commit settles the limit, so this happens once. */
export function queueContinueAfterLimit(context: Ports, name: string): void {
  putFirst(context, name, afterLimit(context.store.worker(name)), 'to continue after the usage limit');
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
      // Put it ahead of what waits already: a message must not take the place of the interrupted task.
      if (waiting !== undefined) updateDelivery(database, delivery.id, { seq: waiting.seq - 1 });
    },
  });
}

const afterLimit = (worker: Worker): string =>
  standing(worker) === 'rebasing' ? continueConflictPrompt() : afterLimitPrompt(worker.expects);

function goOnPrompt(worker: Worker): string {
  return standing(worker) === 'rebasing' ? continueConflictPrompt() : continuePrompt(worker.expects);
}

/** For an empty conversation: the task, and the last prompt that was added to it. */
async function wholeStory(context: WorkContext, name: string, acked: readonly Delivery[]): Promise<string> {
  const { store, layout } = context;
  const worker = store.worker(name);
  const task = worker.current_prompt === null ? [] : [taskPrompt(worker, layout.root, await context.config(), worker.current_prompt)];
  const earlier = recentDeliveries(store.database, name, 10).filter((row) => row.reason?.kind === 'cut_short');
  // The prompt about a conflict says everything: the task and the conflict.
  const conflict =
    standing(worker) === 'rebasing'
      ? recentDeliveries(store.database, name, 10).find(
          ({ purpose, fresh_conversation }) => purpose === 'conflict' && fresh_conversation === 1,
        )
      : undefined;
  if (conflict !== undefined) return [continueConflictPrompt(), conflict.text].join('\n\n');
  const last = [...acked.toReversed(), ...earlier].find((row) => row.purpose === 'feedback' || row.purpose === 'message');
  return [continuePrompt(worker.expects), ...task, ...(last === undefined ? [] : [last.text])].join('\n\n');
}
