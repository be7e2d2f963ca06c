import { LlmcError } from '../base/error.ts';
import type { Database } from '../store/database.ts';
import { findWorker } from '../store/find-worker.ts';
import { putBeforeMessages } from '../store/tables/deliveries.ts';
import { openResolution } from '../store/tables/resolutions.ts';
import { agentOf, type WorkContext } from './context.ts';
import { awaitComingUp, isComingUp } from './pool/coming-up.ts';
import { awaitDelivery, requireAgent, type Sent } from './prompt/await-delivery.ts';
import { isLimitReason, isWorthReporting } from './prompt/delivery-reason-text.ts';
import { prepareDelivery } from './prompt/enqueue.ts';
import { resumeResolution } from './rebase/rebase-work.ts';
import { commitMove } from './status/commit-move.ts';
import { isAtWork } from './status/transitions.ts';

export interface MessageRequest {
  readonly worker: string;
  readonly text: string;
  /** Interrupt the running turn instead of waiting for its end. */
  readonly now?: boolean | undefined;
  readonly timeoutMs: number;
}

/** Sends a message into a worker's conversation. A busy agent gets it when its turn ends. */
export async function sendMessage(context: WorkContext, request: MessageRequest): Promise<Sent> {
  const { store } = context;
  await awaitComingUp(context, (state) => isComingUp(findWorker(state, request.worker)));
  const id = await context.locks.withLock(request.worker, async () => {
    const worker = store.worker(request.worker);
    if (worker.status === 'offline') throw new LlmcError('WORKER_BUSY', `${worker.name} is offline`, { hint: 'llmc up --detach' });
    // Fail now if config.toml is broken or does not declare the agent: the message could not be delivered.
    agentOf(await context.config(), worker.agent);
    const outgoing = { worker: worker.name, purpose: 'message', text: request.text, freshConversation: false } as const;
    const delivery = prepareDelivery(context, outgoing);
    const resolving = openResolution(store.database, worker.name) !== undefined;
    const rows = (database: Database) => {
      delivery.write(database);
      resumeResolution(database, worker.name);
      if (request.now === true) putBeforeMessages(database, worker.name, delivery.id);
    };
    const short = delivery.id.slice(0, 8);
    if (isAtWork(worker.status)) store.commit({ worker: worker.name, kind: 'delivery', summary: `${short}: message queued`, rows });
    else
      commitMove(context, worker.name, resolving ? 'conflicted' : 'continued', {
        why: `message queued (${short})`,
        fields: ({ current_prompt }) => ({ attention: null, current_prompt: current_prompt ?? request.text }),
        rows,
      });
    if (request.now === true) await context.agents.interrupt(worker.name);
    return delivery.id;
  });
  const enough = request.now === true ? isLimitReason : isWorthReporting;
  return requireAgent(context, await awaitDelivery(context, id, request.timeoutMs, enough));
}
