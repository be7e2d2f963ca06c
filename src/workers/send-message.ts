import type { Agent } from '../agents/agent.ts';
import { LlmcError } from '../base/error.ts';
import { shortId } from '../base/short-id.ts';
import type { Database } from '../store/database.ts';
import { findWorker } from '../store/find-worker.ts';
import type { Worker } from '../store/state.ts';
import { ackedDeliveries, putBeforeMessages } from '../store/tables/deliveries.ts';
import { openResolution } from '../store/tables/resolutions.ts';
import { loadAgent, type WorkContext } from './context.ts';
import { awaitComingUp, isComingUp } from './pool/coming-up.ts';
import { awaitDelivery, requireAgent, type Sent } from './prompt/await-delivery.ts';
import { isLimitReason, isWorthReporting } from './prompt/delivery-reason-text.ts';
import { type Prepared, prepareDelivery } from './prompt/enqueue.ts';
import { afterCompactionPrompt } from './prompt/prompts.ts';
import { storySoFar } from './prompt/story-so-far.ts';
import { resumeResolution } from './rebase/rebase-work.ts';
import { commitMove } from './status/commit-move.ts';
import { isAtWork } from './status/transitions.ts';

export interface MessageRequest {
  readonly worker: string;
  /** Omitted only with `first`: the agent then continues its task. */
  readonly text?: string | undefined;
  /** What happens to a conversation that is full, before the message: the CLI shortens it, or a new one begins with the story so far. */
  readonly first?: 'compact' | 'fresh' | undefined;
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
    const agent = loadAgent(await context.config(), worker.agent);
    const text = await composeText(context, worker, request);
    const fresh = request.first === 'fresh';
    const command = request.first === 'compact' ? [prepareCompaction(context, worker.name, agent)].filter((one) => one !== undefined) : [];
    const delivery = prepareDelivery(context, { worker: worker.name, purpose: 'message', text, freshConversation: fresh });
    const resolving = openResolution(store.database, worker.name) !== undefined;
    const rows = (database: Database) => {
      for (const { write } of command) write(database);
      delivery.write(database);
      resumeResolution(database, worker.name);
      if (request.now === true) putBeforeMessages(database, worker.name, delivery.id);
    };
    const short = shortId(delivery.id);
    if (isAtWork(worker.status)) store.commit({ worker: worker.name, kind: 'delivery', summary: `${short}: message queued`, rows });
    else
      commitMove(context, worker.name, resolving ? 'conflicted' : 'continued', {
        why: `message queued (${short})`,
        fields: ({ current_prompt }) => ({ attention: null, current_prompt: current_prompt ?? text }),
        rows,
      });
    if (request.now === true) await context.agents.interrupt(worker.name);
    return delivery.id;
  });
  const enough = request.now === true ? isLimitReason : isWorthReporting;
  return requireAgent(context, await awaitDelivery(context, id, request.timeoutMs, enough));
}

async function composeText(context: WorkContext, worker: Worker, { text, first }: MessageRequest): Promise<string> {
  if (text === undefined && worker.current_prompt === null)
    throw new LlmcError('INVALID_ARGUMENT', `${worker.name} has no task to continue`, { hint: `llmc message ${worker.name} "…"` });
  if (first !== 'fresh') return text ?? afterCompactionPrompt(worker.expects);
  const story =
    worker.current_prompt === null ? [] : [await storySoFar(context, worker.name, ackedDeliveries(context.store.database, worker.name))];
  return [...story, ...(text === undefined ? [] : [text])].join('\n\n');
}

/** The command that shortens the conversation; undefined for a CLI that does so by itself. */
function prepareCompaction(context: WorkContext, name: string, { compaction, name: agent }: Agent): Prepared | undefined {
  if (compaction === undefined)
    throw new LlmcError('INVALID_ARGUMENT', `llmc knows no command that compacts a conversation of ${agent}`, {
      hint: `Start a new conversation with the task so far: llmc message ${name} --fresh`,
    });
  if (compaction.kind === 'by_itself') return undefined;
  return prepareDelivery(context, { worker: name, purpose: 'compact', text: compaction.text, freshConversation: false });
}
