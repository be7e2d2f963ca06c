import type { Agent } from '../../agents/agent.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from '../observe/watch.ts';

/** Stores the id of the current conversation, which changes at every clear, so that it can be resumed. */
export function keepConversation(context: Pick<WorkContext, 'store'>, watch: Watch, agent: Agent): void {
  const { conversationId, promptsInConversation } = watch.reported;
  if (conversationId === null) return keepShown(context, watch, agent);
  const worker = context.store.worker(watch.name);
  const used = worker.conversation_used || promptsInConversation > 0;
  if (conversationId === worker.conversation_id && used === worker.conversation_used) return;
  storeConversation(context, watch, conversationId, promptsInConversation > 0);
}

/** Without a report of the id: the screen shows its beginning, which cannot be resumed but shows that it was cleared. */
function keepShown(context: Pick<WorkContext, 'store'>, watch: Watch, agent: Agent): void {
  const { capture } = watch.screen;
  const shown = capture && agent.conversationOn?.(capture.screen);
  if (shown === undefined || context.store.worker(watch.name).conversation_id?.startsWith(shown) === true) return;
  storeConversation(context, watch, shown, false);
}

function storeConversation({ store }: Pick<WorkContext, 'store'>, watch: Watch, id: string, used: boolean): void {
  store.changeWorker(watch.name, {
    kind: 'conversation',
    summary: `the agent's conversation is ${id}`,
    change: (worker) => Object.assign(worker, { conversation_id: id, conversation_used: used }),
  });
}
