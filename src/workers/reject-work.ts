import { LlmcError } from '../base/error.ts';
import { diffText } from '../git/diff.ts';
import { mergeBase } from '../git/inspect.ts';
import { trackingRef } from '../git/refs.ts';
import { awaitDelivery, type Sent } from './await-delivery.ts';
import { agentOf, type WorkContext } from './context.ts';
import { prepareDelivery } from './enqueue.ts';
import { isWorthTelling } from './hold-reasons.ts';
import { mainBranch } from './main-branch.ts';
import { move } from './move.ts';
import { requireReviewable, reviewedWorker } from './pick.ts';
import { feedbackPrompt } from './prompts.ts';

export interface RejectRequest {
  readonly worker?: string | undefined;
  readonly feedback: string;
  readonly notes: readonly { readonly at: string; readonly text: string }[];
  readonly timeoutMs: number;
}

/** Sends reviewed work back, in the same conversation, with what was asked for and what it was about. */
export async function rejectWork(context: WorkContext, request: RejectRequest): Promise<Sent> {
  const { store, clock, git } = context;
  const name = (request.worker === undefined ? reviewedWorker(store.state, 'reject') : store.worker(request.worker)).name;
  const id = await context.hands.hold(name, async () => {
    const worker = store.worker(name);
    requireReviewable(worker);
    if (worker.status === 'offline') throw new LlmcError('WORKER_BUSY', `${name} is offline`, { hint: 'llmc up --detach' });
    const config = await context.config();
    const base = await mergeBase(git, worker.worktree_path, trackingRef(await mainBranch(context, config)), 'HEAD');
    const stat = base === undefined ? '' : await diffText(git, worker.worktree_path, base, 'HEAD', { stat: true });
    const text = feedbackPrompt(request.feedback, stat, request.notes);
    const delivery = prepareDelivery(context, agentOf(config, worker.agent), {
      worker: name,
      purpose: 'feedback',
      text,
      freshConversation: false,
    });
    store.commit({
      worker: name,
      kind: 'status',
      summary: `needs_review → rejected: feedback queued (${delivery.id.slice(0, 8)})`,
      state: (draft) => {
        const record = draft.workers[name];
        if (record !== undefined) move(record, 'rejected', clock.now(), { attention: null, reviewed_patch_id: null });
      },
      rows: delivery.write,
    });
    return delivery.id;
  });
  return await awaitDelivery(context, id, request.timeoutMs, isWorthTelling);
}
