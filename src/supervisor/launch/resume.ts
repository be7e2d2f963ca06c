import { fault } from '../../base/fault.ts';
import { shortId } from '../../base/short-id.ts';
import type { FailedTurn } from '../../recovery/decide-failed-turn.ts';
import { decideTaken } from '../../recovery/decide-taken.ts';
import type { Worker } from '../../store/state.ts';
import { ackedDeliveries, type Delivery, nextDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { prepareDelivery } from '../../workers/prompt/enqueue.ts';
import { afterFailurePrompt, afterLimitPrompt, continueConflictPrompt, continuePrompt } from '../../workers/prompt/prompts.ts';
import { openStory, storySoFar } from '../../workers/prompt/story-so-far.ts';
import { standing } from '../../workers/status/transitions.ts';
import { type Watch, wasReady } from '../observe/watch.ts';
import { askedQuestion, cutShort, keepQuestion, queueAgain, sendAgain, sentAgain, takenPrompts } from './taken.ts';

type Ports = Pick<WorkContext, 'store' | 'clock' | 'random'>;

/**
 * Before a new start in the middle of a task: queues what the next incarnation is told, in one transaction, so that a crash before the
 * launch neither loses nor repeats it. Nothing is queued for a prompt that never reached the agent (llmc will type it), or whose turn
 * had ended.
 */
export async function queueContinue(context: WorkContext, watch: Watch, conversation: 'resume' | 'fresh'): Promise<void> {
  const { store } = context;
  const worker = store.worker(watch.name);
  // An agent that asks is in the middle of its task too, and its dialog ended with it.
  if (!['working', 'rejected', 'needs_input', 'rebasing'].includes(standing(worker))) return;
  const acked = ackedDeliveries(store.database, watch.name);
  const waiting = nextDelivery(store.database, watch.name);
  const question = standing(worker) === 'needs_input' && waiting === undefined ? askedQuestion(worker) : undefined;
  const taken = takenPrompts(context, watch, acked, await context.config());
  const { kind, again } = decideTaken({ taken, conversation, asked: question !== undefined });
  // The stale prompt was written for a conversation that is lost: a bare "continue" would mean nothing in a new one.
  const stale = conversation === 'fresh' && waiting?.purpose === 'continue' ? waiting : undefined;
  const lost = acked.filter(({ id }) => again.includes(id));
  fault('relaunch:before-rows');
  if (kind === 'story' || stale !== undefined)
    putFirst(context, watch.name, await openStory(context, watch.name), TO_GO_ON, { stale, lost });
  else if (kind === 'question' && question !== undefined) keepQuestion(context, worker, question);
  else if (kind === 'go_on') putFirst(context, watch.name, goOnPrompt(worker), TO_GO_ON, { lost });
  else if (lost.length > 0) sendAgain(context, watch.name, lost);
  fault('relaunch:after-rows');
}

/** Forgets the starts that could not resume the conversation, once one has. */
export function settleResume({ store }: Ports, watch: Watch): void {
  if (store.worker(watch.name).resume_exits.length === 0 || !wasReady(watch)) return;
  store.changeWorker(watch.name, {
    kind: 'conversation',
    summary: 'the agent has resumed its conversation',
    change: (worker) => Object.assign(worker, { resume_exits: [] }),
  });
}

const TO_GO_ON = 'to continue the task after a new start';

/** Queues the prompt to continue after a usage limit, for an agent that still runs. The same commit settles the limit, so this happens once. */
export function queueContinueAfterLimit(context: Ports, name: string): void {
  putFirst(context, name, afterLimit(context.store.worker(name)), 'to continue after the usage limit');
  fault('limit:after-go-on');
}

/** Queues the prompt to continue after a failed turn. The same commit records the attempt, so this happens once. */
export async function queueContinueAfterFailure(
  context: WorkContext,
  name: string,
  how: 'continue' | 'compact' | 'fresh',
  failed: FailedTurn,
): Promise<void> {
  const { store } = context;
  const worker = store.worker(name);
  const fresh = how === 'fresh';
  const text = fresh ? await storySoFar(context, name, ackedDeliveries(store.database, name)) : afterFailure(worker);
  const { compaction } = loadAgent(await context.config(), worker.agent);
  putFirst(context, name, text, `to continue after a failed turn, attempt ${failed.attempt} of ${failed.attempts}`, {
    ...(how === 'compact' && compaction?.kind === 'command' && { compact: compaction.text }),
    fresh,
    change: (draft) => Object.assign(draft, { failed_turn: failed }),
  });
}

interface First {
  /** A prompt that this one replaces. */
  readonly stale?: Delivery | undefined;
  /** Acknowledged prompts that go out again, before this one. */
  readonly lost?: readonly Delivery[];
  readonly fresh?: boolean;
  /** The command that goes before it. */
  readonly compact?: string;
  readonly change?: (worker: Worker) => void;
}

function putFirst(
  context: Ports,
  name: string,
  text: string,
  what: string,
  { stale, lost = [], fresh = false, compact, change }: First = {},
): void {
  const { store, clock } = context;
  const prompt = prepareDelivery(context, { worker: name, purpose: 'continue', text, freshConversation: fresh });
  const command =
    compact === undefined ? [] : [prepareDelivery(context, { worker: name, purpose: 'compact', text: compact, freshConversation: false })];
  const deliveries = [...command, prompt];
  const waiting = nextDelivery(store.database, name);
  store.commit({
    worker: name,
    kind: 'delivery',
    recovers: true,
    summary: [...lost.map(sentAgain), `${shortId(prompt.id)}: queued, ${what}`].join('; '),
    ...(change && {
      state: (draft) => {
        const worker = draft.workers[name];
        if (worker !== undefined) change(worker);
      },
    }),
    rows: (database) => {
      cutShort(database, name, clock.now());
      if (stale !== undefined) updateDelivery(database, stale.id, { state: 'failed', reason: { kind: 'told_again' } });
      for (const [index, delivery] of deliveries.entries()) {
        delivery.write(database);
        // Put it ahead of what waits already: a message must not take the place of the interrupted task.
        if (waiting !== undefined) updateDelivery(database, delivery.id, { seq: waiting.seq - deliveries.length + index });
      }
      queueAgain(database, lost, waiting === undefined ? undefined : waiting.seq - deliveries.length);
    },
  });
}

const afterLimit = (worker: Worker): string =>
  standing(worker) === 'rebasing' ? continueConflictPrompt() : afterLimitPrompt(worker.expects);

const afterFailure = (worker: Worker): string =>
  standing(worker) === 'rebasing' ? continueConflictPrompt() : afterFailurePrompt(worker.expects);

function goOnPrompt(worker: Worker): string {
  return standing(worker) === 'rebasing' ? continueConflictPrompt() : continuePrompt(worker.expects);
}
