import type { Activity } from '../agents/activity.ts';
import { ackedDeliveries, nextDelivery, updateDelivery } from '../store/deliveries.ts';
import { agentOf, type WorkContext } from '../workers/context.ts';
import { prepareDelivery } from '../workers/enqueue.ts';
import { move } from '../workers/move.ts';
import { CONTINUE_PROMPT, taskPrompt } from '../workers/prompts.ts';
import { standing } from '../workers/status.ts';
import { decideExit } from './decide-exit.ts';
import { launch } from './launch.ts';
import type { Watch } from './watch.ts';
import { canResume } from './way-back.ts';

const POLICY = { maxCrashes: 3, stillbornMs: 5_000 };
const LOOKS_TO_CONFIRM = 2;

export async function handleExit(context: WorkContext, watch: Watch, activity: Extract<Activity, { kind: 'exited' }>): Promise<boolean> {
  const { store, clock } = context;
  const worker = store.worker(watch.name);
  if (worker.status === 'error') return false;
  watch.goneLooks += 1;
  const now = clock.now();
  const confirmed = watch.goneLooks >= LOOKS_TO_CONFIRM;
  const resumable = canResume(worker, await context.config());
  const step = decideExit(
    { worker, resumable, activity, livedMs: now - watch.launchedAt, wasResumed: watch.resumed, confirmed },
    POLICY,
    now,
  );
  switch (step.kind) {
    case 'wait':
      return true;
    case 'fail':
      store.commit({
        worker: watch.name,
        kind: 'status',
        summary: `${worker.status} → failed: ${step.why}`,
        details: lastScreen(watch),
        state: (draft) => {
          const record = draft.workers[watch.name];
          if (record !== undefined)
            move(record, 'failed', now, {
              attention: `${step.why}. Its last words: llmc why ${watch.name}; start over: llmc reset ${watch.name}`,
            });
        },
      });
      return true;
    case 'relaunch':
      store.commit({
        worker: watch.name,
        kind: 'exit',
        summary: `the agent ended (${watch.assessment.rule}): ${step.why}`,
        details: lastScreen(watch),
      });
      if (step.goOn) await queueGoOn(context, watch, step.conversation);
      await launch(context, watch, { conversation: step.conversation, why: step.why, crashed: step.countsAsCrash });
      return true;
  }
}

/**
 * Before a new start in the middle of a task: queues the word to go on. Queued first, so
 * that a crash before the launch neither forgets it nor says it twice. Not needed when the
 * prompt never reached the agent (it will be typed) or when the turn had ended already.
 */
export async function queueGoOn(context: WorkContext, watch: Watch, conversation: 'resume' | 'fresh'): Promise<void> {
  const { store, clock, layout } = context;
  const worker = store.worker(watch.name);
  const atWork = ['working', 'rejected'].includes(standing(worker));
  const acked = ackedDeliveries(store.database, watch.name);
  const endedTurn = watch.memory.lastTurn?.seq ?? 0;
  const cutShort = acked.some((row) => row.acked_event === null || row.acked_event > endedTurn);
  if (!atWork || !cutShort) return;
  const config = await context.config();
  const again =
    conversation === 'fresh' && worker.current_prompt !== null ? [taskPrompt(worker, layout.root, config, worker.current_prompt)] : [];
  const outgoing = {
    worker: watch.name,
    purpose: 'continue' as const,
    text: [CONTINUE_PROMPT, ...again].join('\n\n'),
    freshConversation: false,
  };
  const delivery = prepareDelivery(context, agentOf(config, worker.agent), outgoing);
  store.commit({
    worker: watch.name,
    kind: 'delivery',
    summary: `${delivery.id.slice(0, 8)}: queued, to go on with the task after a new start`,
    rows: (database) => {
      for (const row of acked)
        updateDelivery(database, row.id, { state: 'done', done_ms: clock.now(), reason: 'cut short; the agent was told to go on' });
      const waiting = nextDelivery(database, watch.name);
      delivery.write(database);
      // Ahead of what waits already: a message must not take the place of the task that was cut short.
      if (waiting !== undefined) updateDelivery(database, delivery.id, { seq: waiting.seq - 1 });
    },
  });
}

function lastScreen(watch: Watch): string {
  return (watch.look?.screen.lines ?? []).join('\n').trim();
}
