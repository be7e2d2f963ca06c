import { LlmcError } from '../base/error.ts';
import { shortId } from '../base/short-id.ts';
import { type Change, readChange, wholeDiff } from '../git/diff.ts';
import { exchange } from '../git/exchange/exchange.ts';
import { mergeBase, readCommitId } from '../git/inspect.ts';
import { readWorkRange } from '../git/rebase/former-main.ts';
import { trackingRef } from '../git/refs.ts';
import { outside } from '../git/run.ts';
import type { Worker } from '../store/state.ts';
import { type Delivery, lastFeedback, updateDelivery } from '../store/tables/deliveries.ts';
import { dropSent, listKeptComments, listKeptDrafts, type SentDraft } from '../store/tables/drafts.ts';
import { insertRejection, listRejections } from '../store/tables/rejections.ts';
import { branchOfWork } from './branch/run-base.ts';
import type { WorkContext } from './context.ts';
import { collectFormerMains } from './landing/former-mains.ts';
import { reviewedText } from './landing/reviewed-text.ts';
import { requireReviewable, reviewedWorker } from './pool/pick.ts';
import { awaitDelivery, requireAgent, type Sent } from './prompt/await-delivery.ts';
import { isWorthReporting } from './prompt/delivery-reason-text.ts';
import { prepareDelivery } from './prompt/enqueue.ts';
import { feedbackPrompt } from './prompt/prompts.ts';
import { checkPlaces, lineAt, type PlacedRemark } from './review/check-places.ts';
import { commitMove } from './status/commit-move.ts';
import { requireCommit } from './status/only-answer.ts';
import { reportTo } from './tasks/report-to.ts';

export interface RejectRequest {
  readonly worker?: string | undefined;
  readonly feedback: string;
  readonly notes: readonly PlacedRemark[];
  /**
   * The drafts that the notes were made of. They end in the same transaction: a crash sends them once or keeps them. One that has another
   * text by then stays: that text was not sent.
   */
  readonly drafts?: readonly SentDraft[] | undefined;
  readonly timeoutMs: number;
}

export interface Rejected extends Sent {
  /** When an earlier reject sent this feedback and was killed before it said so. Then it is not sent again. */
  readonly earlier_ms: number | null;
  /** The comments that a person has written about this work and that were not part of it. They stay. */
  readonly left_drafts: number;
  /** The drafts of which another text was sent than they have now. They stay. */
  readonly changed_drafts: readonly string[];
}

/** Sends reviewed work back in the same conversation, with the feedback and the reviewed change. */
export async function rejectWork(context: WorkContext, request: RejectRequest): Promise<Rejected> {
  const { store } = context;
  const name = (request.worker === undefined ? reviewedWorker(store.state, 'reject') : store.worker(request.worker)).name;
  const { id, earlier_ms } = await context.locks.withLock(name, async () => {
    const worker = store.worker(name);
    const earlier = untoldTwin(context, name, request);
    if (earlier !== undefined) return { id: earlier.id, earlier_ms: earlier.created_ms };
    requireReviewable(worker);
    requireCommit(worker, 'reject');
    // The feedback starts a resting worker.
    if (worker.status === 'offline' && worker.run?.resting !== true)
      throw new LlmcError('WORKER_BUSY', `${name} is offline`, { hint: `llmc why ${name}` });
    await context.agents.keepWorktree(name);
    const config = await context.config();
    const change = await whatWasReviewed(context, worker, await branchOfWork(context, config, worker));
    if (change !== undefined) checkPlaces(name, change, request.notes);
    const reviewed = change === undefined ? '' : reviewedText({ ...change, diff: wholeDiff(change) });
    const text = feedbackPrompt(request.feedback, reviewed, request.notes);
    const delivery = prepareDelivery(context, { worker: name, purpose: 'feedback', text, freshConversation: false });
    commitMove(context, name, 'rejected', {
      why: `feedback queued (${shortId(delivery.id)})`,
      fields: { attention: null },
      rows: (database) => {
        delivery.write(database);
        const changed = dropSent(database, name, request.drafts ?? []);
        insertRejection(database, {
          delivery: delivery.id,
          worker: name,
          feedback: request.feedback,
          at_ms: context.clock.now(),
          reviewed: lastReviewed(context, worker),
          drafts: (request.drafts ?? []).filter((sent) => !changed.includes(sent.id)),
          notes: request.notes.map((note) => ({ ...note, quoted: (change && lineAt(change, note.at)) ?? '' })),
        });
        reportTo(database, worker, { kind: 'rejected', feedback: request.feedback }, context.clock.now());
      },
    });
    return { id: delivery.id, earlier_ms: null };
  });
  try {
    const sent = requireAgent(context, await awaitDelivery(context, id, request.timeoutMs, isWorthReporting));
    const left = listKeptDrafts(store.database, name).map((draft) => draft.id);
    const changed_drafts = (request.drafts ?? []).flatMap((draft) => (left.includes(draft.id) ? [draft.id] : []));
    return { ...sent, earlier_ms, left_drafts: listKeptComments(store.database, name).length, changed_drafts };
  } finally {
    // The person is gone otherwise.
    if (!context.signal.aborted) updateDelivery(store.database, id, { told_ms: context.clock.now() });
  }
}

/** Work that nobody has seen since the last rejection leaves that as it was. */
function lastReviewed({ store }: WorkContext, { name, reviewed_patch_id, reviewed_commit }: Worker): string | null {
  return reviewed_patch_id === null ? (listRejections(store.database, name)[0]?.reviewed ?? null) : reviewed_commit;
}

/** The same feedback of a reject that was killed before it said so: a person who repeats the command must not send it twice. */
function untoldTwin({ store }: WorkContext, name: string, { feedback, notes }: RejectRequest): Delivery | undefined {
  const last = store.worker(name).current_prompt === null ? undefined : lastFeedback(store.database, name);
  if (last === undefined || last.state === 'failed' || last.told_ms != null) return undefined;
  return last.text.startsWith(feedbackPrompt(feedback, '', notes)) ? last : undefined;
}

interface Reviewed extends Change {
  readonly base: string;
  readonly head: string;
}

async function whatWasReviewed(context: WorkContext, worker: Worker, branch: string): Promise<Reviewed | undefined> {
  const { worktree_path: at } = worker;
  const { root } = context.layout;
  await exchange(context.git, root, at);
  const git = outside(context.git);
  const former = collectFormerMains(context, worker, branch);
  const [{ upstreams }, head] = await Promise.all([readWorkRange(git, at, trackingRef(branch), 'HEAD', former), readCommitId(git, at)]);
  const base = await mergeBase(git, at, head, ...upstreams);
  return base === undefined ? undefined : { ...(await readChange(git, root, base, head)), base, head };
}
