import { LlmcError } from '../base/error.ts';
import { commitsBetween } from '../git/commits.ts';
import { readChange, wholeDiff } from '../git/diff.ts';
import { exchange } from '../git/exchange/exchange.ts';
import { dirtyFiles, headOf, mergeBase } from '../git/inspect.ts';
import { patchIdOf } from '../git/landing/patch.ts';
import { messageOfAll, type WordsId, wordsId } from '../git/landing/words.ts';
import { endLeftRebase } from '../git/rebase/end-rebase.ts';
import { trackingRef } from '../git/refs.ts';
import { outside } from '../git/run.ts';
import type { State, Worker } from '../store/state.ts';
import type { WorkContext } from './context.ts';
import { mainBranch } from './landing/main-branch.ts';
import { awaitsReview, newestMain, refreshReview } from './landing/refresh-review.ts';
import { oldestPending, requireReviewable, reviewedWorker } from './pool/pick.ts';
import { resolver } from './rebase/resolve-conflict.ts';
import type { ReviewWarning } from './review/review-warning.ts';
import { reviewWarnings } from './review/review-warnings.ts';
import { type AttentionReport, attentionReport } from './status/attention-text.ts';

export interface ReviewResult extends AttentionReport {
  readonly worker: string;
  readonly branch: string;
  readonly worktree: string;
  readonly base: string;
  readonly head: string;
  readonly message: string;
  /** The author of the commit that would land, as `name <address>`. */
  readonly author: string;
  readonly stat: string;
  readonly diff: string;
  readonly uncommitted: readonly string[];
  /** What a reviewer could overlook or misread. */
  readonly warnings: readonly ReviewWarning[];
}

export interface ReviewRequest {
  readonly worker?: string | undefined;
  /** Part of an accept: chooses the same worker as accept, and does not count as a review. */
  readonly beforeAccept?: boolean | undefined;
  /** Called inside a worker: what an agent reads does not count as reviewed. */
  readonly byAgent?: boolean | undefined;
  /** False: do not rebase the work onto the newest main first. */
  readonly patrol?: boolean | undefined;
}

/** Returns the change against the newest main for a review, and records what the user has seen. */
export async function reviewWork(context: WorkContext, request: ReviewRequest): Promise<ReviewResult> {
  const { store, git } = context;
  const chosen = request.worker === undefined ? unnamed(store.state, request) : store.worker(request.worker);
  if (chosen === undefined) throw new LlmcError('NOTHING_TO_REVIEW', 'no worker waits for a review', { hint: 'llmc status' });
  requireReviewable(chosen);
  return await context.locks.withLock(chosen.name, async () => {
    await context.agents.keepWorktree(chosen.name);
    await endLeftRebase(git, chosen.worktree_path);
    if (request.patrol !== false && awaitsReview(store.worker(chosen.name)))
      await refreshReview(
        context,
        chosen.name,
        await newestMain(context),
        request.byAgent === true ? undefined : resolver(context, 'review'),
      );
    const worker = store.worker(chosen.name);
    requireReviewable(worker);
    const at = worker.worktree_path;
    const config = await context.config();
    const tracking = trackingRef(await mainBranch(context, config));
    await exchange(git, context.layout.root, at);
    // Of a sandboxed worker, show what was taken out of its sandbox and checked: a git inside may show anything.
    const seen = outside(git);
    const [base, head, uncommitted] = await Promise.all([mergeBase(seen, at, tracking, 'HEAD'), headOf(seen, at), dirtyFiles(git, at)]);
    if (base === undefined)
      throw new LlmcError('GIT_FAILED', `${worker.branch} has no history in common with main`, { hint: `llmc attach ${worker.name}` });
    const [commits, change, patchId] = await Promise.all([
      commitsBetween(seen, at, base, head),
      readChange(seen, context.layout.root, base, head),
      patchIdOf(git, context.layout.root, base, head),
    ]);
    const author = commits[0]?.author;
    if (request.byAgent === true) context.say('An agent asked for this: it does not count as a review.');
    else if (request.beforeAccept !== true)
      remember(context, worker.name, {
        head,
        patchId,
        words: author && wordsId({ message: messageOfAll(commits, config.repo.attribution), author }),
      });
    const message = commits.map((commit) => commit.message).join('\n\n');
    return {
      worker: worker.name,
      branch: worker.branch,
      worktree: at,
      base,
      head,
      message,
      author: author === undefined ? '' : `${author.name} <${author.email}>`,
      stat: change.stat,
      diff: wholeDiff(change),
      uncommitted,
      warnings: reviewWarnings(change, message),
      ...attentionReport(worker.name, worker.attention),
    };
  });
}

function unnamed(state: State, { beforeAccept }: ReviewRequest): Worker | undefined {
  return beforeAccept === true ? reviewedWorker(state, 'accept') : oldestPending(state);
}

interface Seen {
  readonly head: string;
  readonly patchId: string;
  readonly words: WordsId | undefined;
}

function remember({ store }: WorkContext, name: string, { head, patchId, words }: Seen): void {
  store.changeWorker(name, {
    kind: 'review',
    summary: `shown for review: ${head.slice(0, 12)}`,
    change: (worker, draft) => {
      worker.reviewed_patch_id = patchId;
      worker.reviewed_commit = head;
      worker.reviewed_words = words ?? null;
      draft.last_reviewed_worker = name;
    },
  });
}
