import { isDeepStrictEqual } from 'node:util';
import { LlmcError } from '../base/error.ts';
import type { Config } from '../config/schema.ts';
import { readChange, wholeDiff } from '../git/diff.ts';
import { stripAttribution } from '../git/landing/message.ts';
import { messageOfAll, type WordsId, wordsId } from '../git/landing/words.ts';
import { outside } from '../git/run.ts';
import type { Proof } from '../proof/proof.ts';
import { findingsId, isWhole } from '../proof/verdict.ts';
import type { Worker } from '../store/state.ts';
import { listKeptComments, writtenMessage } from '../store/tables/drafts.ts';
import { findValidation } from '../store/tables/validations.ts';
import { chooseBranch, fixedBranch, type LandingPlace, placeToRemember } from './branch/choose-branch.ts';
import { branchOfWork, branchToGoOn } from './branch/run-base.ts';
import type { WorkContext } from './context.ts';
import { withLeftOut } from './landing/former-mains.ts';
import type { OnMain } from './landing/refresh-review.ts';
import { requireReviewable, reviewedWorker, reviewQueue } from './pool/pick.ts';
import { bringUpToDate, type Choosing, chooseWork } from './review/choose-work.ts';
import { findNotable } from './review/notable/find-notable.ts';
import { readUserLines } from './review/notable/user-lines.ts';
import { predictedConflicts, readOthers } from './review/predicted-conflicts.ts';
import { readWork } from './review/read-work.ts';
import type { ReviewedValidation, ReviewResult } from './review/review-result.ts';
import type { ReviewWarning } from './review/review-warning.ts';
import { reviewWarnings } from './review/review-warnings.ts';
import { reviewedBefore } from './review/reviewed-before.ts';
import { reviewedFile } from './review/reviewed-file.ts';
import { answerFor, isUnfinished, showWithoutCommit } from './review/show-answer.ts';
import { sinceReview } from './review/since-review.ts';
import { rescueOfBefore, standingProof } from './review/standing-proof.ts';
import { attentionReport } from './status/attention-text.ts';
import { isOnlyAnswer, requireCommit } from './status/only-answer.ts';

export interface ReviewRequest extends Choosing {
  /** Lines that differ only in white space count as equal in the diff. */
  readonly ignoreWhitespace?: boolean | undefined;
  readonly worker?: string | undefined;
  /** Where a person wants it to land: it is compared with that branch, and the next accept without a place lands it there. */
  readonly place?: LandingPlace | undefined;
  /** Part of an accept: chooses the same worker as accept, and does not count as a review. */
  readonly beforeAccept?: boolean | undefined;
  /** The person sees the names of files and counts: nobody has read the lines. */
  readonly onlyStat?: boolean | undefined;
  /** The commit that a person has on the screen. Other work is not shown to anybody by this call, so it is refused. */
  readonly ifHead?: string | undefined;
}

/** Returns the change against the newest main for a review, and records what the user has seen. */
export async function reviewWork(context: WorkContext, request: ReviewRequest): Promise<ReviewResult> {
  const { store } = context;
  const show = (name: string, onMain: OnMain | undefined) => showWork(context, name, request, onMain);
  if (request.worker === undefined && request.beforeAccept !== true) return await chooseWork(context, request, show);
  if (request.worker !== undefined && request.beforeAccept !== true && isUnfinished(store.worker(request.worker)))
    return await showWithoutCommit(context, request.worker, { ignoreWhitespace: request.ignoreWhitespace === true, next: false });
  const { name } = request.worker === undefined ? reviewedWorker(store.state, 'accept') : store.worker(request.worker);
  requireReviewable(store.worker(name));
  return await context.locks.withLock(name, async () => {
    await choosePlace(context, name, request);
    return await show(name, await bringUpToDate(context, name, request));
  });
}

/** The place counts from here on, because what the work is compared with and put on depends on it. An agent chooses none. */
async function choosePlace(context: WorkContext, name: string, { place, byAgent, beforeAccept }: ReviewRequest): Promise<void> {
  if (byAgent === true || beforeAccept === true || (place?.branch === undefined && place?.main !== true)) return;
  const { store } = context;
  const branch = await chooseBranch(context, store.worker(name), place);
  const chosen = placeToRemember(await context.config(), store.worker(name), branch);
  if (isDeepStrictEqual(chosen, store.worker(name).chosen_place)) return;
  store.changeWorker(name, {
    kind: 'review',
    summary: `it lands on ${branch ?? 'main'}, as a person chose`,
    change: (worker) => Object.assign(worker, { chosen_place: chosen }),
  });
}

/** The caller has the lock of the worker. */
async function showWork(context: WorkContext, name: string, request: ReviewRequest, onMain: OnMain | undefined): Promise<ReviewResult> {
  const { store } = context;
  const worker = store.worker(name);
  requireReviewable(worker);
  if (request.beforeAccept === true) requireCommit(worker, 'accept');
  if (isOnlyAnswer(worker)) return await showAnswer(context, name, request);
  const config = await context.config();
  const branch = await branchOfWork(context, config, worker);
  const [work, others] = await Promise.all([readWork(context, worker, branch, onMain), readOthers(context, name)]);
  const { base, head, uncommitted, commits, change, patchId, main, upstreams } = work;
  requireSame(name, request, head);
  // The warnings are about all lines, also those that are not shown.
  const ignoreWhitespace = request.ignoreWhitespace === true;
  const shown = ignoreWhitespace ? await readChange(outside(context.git), context.layout.root, base, head, { ignoreWhitespace }) : change;
  const files = shown.files.map(reviewedFile);
  const paths = files.map(({ path }) => path);
  const lines = await readUserLines(outside(context.git), config);
  const [predicted, notable] = await Promise.all([
    predictedConflicts(context, { worker, head, files: paths, upstreams, branch, isOnMain: base === main }, others),
    findNotable(outside(context.git), context.layout.root, { base, head, change, lines }),
  ]);
  const proof = (await standingProof(context, worker, head)) ?? null;
  const author = commits[0]?.author;
  const agentMessage = messageOfAll(commits, config.repo.attribution, reviewedBefore(store, name));
  const written = writtenMessage(store.database, name);
  const message = written === undefined ? agentMessage : stripAttribution(written.text, config.repo.attribution);
  if (request.byAgent === true) context.say('An agent asked for this: it does not count as a review.');
  else if (request.onlyStat === true) noteShown(context, worker.name);
  else if (request.beforeAccept !== true)
    remember(context, worker.name, {
      head,
      patchId,
      words: author && wordsId({ message, author }),
      proof,
    });
  return {
    kind: 'work',
    answer: answerFor(context, worker),
    worker: worker.name,
    branch: worker.branch,
    worktree: worker.worktree_path,
    base,
    head,
    task: worker.current_prompt,
    summary: worker.summary,
    commits: commits.map(({ sha, message: text }) => ({ commit: sha, subject: text.split('\n')[0] ?? '' })),
    message,
    agent_message: agentMessage,
    message_edit: written === undefined ? 'none' : written.instead === agentMessage ? 'current' : 'outdated',
    author: author === undefined ? '' : `${author.name} <${author.email}>`,
    files,
    stat: shown.stat,
    diff: wholeDiff(shown),
    uncommitted,
    warnings: [
      ...listMarks(worker),
      ...(await rewritten(context, worker, branch, work.leftOut)),
      ...reviewWarnings(change, message, notable),
    ],
    formatted: worker.formatted,
    validation: validationFor(context, commits.at(-1)?.tree, config.repo.validate),
    validation_commands: config.repo.validate.length,
    proof,
    rescue: rescueOfBefore(context, worker, files.length === 0 || (proof !== null && !isWhole(proof))) ?? null,
    ...predicted,
    chosen_place: worker.chosen_place,
    run_branch: await branchOfRunBefore(context, config, worker),
    since: await sinceReview(context, name, { base, head, ignoreWhitespace }),
    draft_comments: listKeptComments(store.database, name).length,
    waiting: reviewQueue(store.state, { unseenFirst: request.next === true }).flatMap((other) => (other.name === name ? [] : [other.name])),
    ...attentionReport(worker.name, worker.attention),
  };
}

/** The branch that the work lands on because its run did so before, unless a person or the configuration names it. */
async function branchOfRunBefore(context: WorkContext, config: Config, worker: Worker): Promise<string | null> {
  if (worker.run === null || worker.chosen_place !== null) return null;
  const branch = await branchToGoOn(context, config, worker.run.id);
  return branch === fixedBranch(config, worker) ? null : branch;
}

/** A person who was shown an answer has seen it, but has approved nothing. */
async function showAnswer(context: WorkContext, name: string, request: ReviewRequest): Promise<ReviewResult> {
  const showing = { ignoreWhitespace: request.ignoreWhitespace === true, next: request.next === true };
  const shown = await showWithoutCommit(context, name, showing);
  if (request.byAgent !== true)
    context.store.changeWorker(name, {
      kind: 'review',
      summary: 'its answer was shown',
      change: (worker, draft) => {
        worker.shown_revision = draft.revision;
        draft.last_reviewed_worker = name;
      },
    });
  return shown;
}

/** The commit that lands has the tree of the newest commit, so the result counts for it. */
function validationFor({ store }: WorkContext, tree: string | undefined, lines: readonly string[]): ReviewedValidation | null {
  const found = tree === undefined || lines.length === 0 ? undefined : findValidation(store.database, tree, lines);
  if (found === undefined) return null;
  const { failed_line, reason, log, took_ms, at_ms } = found;
  return { passed: failed_line === null, failed_line, reason, log, took_ms, at_unix: Math.floor(at_ms / 1_000) };
}

function requireSame(name: string, { ifHead }: ReviewRequest, head: string): void {
  if (ifHead === undefined || ifHead === head) return;
  throw new LlmcError('WORK_CHANGED', `the work of ${name} has changed since it was shown`, { hint: `llmc review ${name}` });
}

interface Seen {
  readonly head: string;
  readonly patchId: string;
  readonly words: WordsId | undefined;
  readonly proof: Proof | null;
}

function remember({ store }: WorkContext, name: string, { head, patchId, words, proof }: Seen): void {
  store.changeWorker(name, {
    kind: 'review',
    summary: `shown for review: ${head.slice(0, 12)}`,
    change: (worker, draft) => {
      worker.reviewed_patch_id = patchId;
      worker.reviewed_commit = head;
      worker.reviewed_words = words ?? null;
      worker.reviewed_proof = proof && findingsId(proof);
      worker.shown_revision = draft.revision;
      draft.last_reviewed_worker = name;
    },
  });
}

/** Work of which the files alone were shown is the work that a command without a name means, and has not been reviewed. */
function noteShown({ store }: WorkContext, name: string): void {
  store.changeWorker(name, {
    kind: 'review',
    summary: 'its files were listed',
    change: (worker, draft) => {
      // Work that was sent back and came back as it was lands without its name only after another look at its lines.
      if (!worker.came_back_unchanged) worker.shown_revision = draft.revision;
      draft.last_reviewed_worker = name;
    },
  });
}

/** Commits that the user took back from main while the worker built on them: llmc has left them out, or will. */
async function rewritten(
  context: WorkContext,
  worker: Worker,
  branch: string,
  leftOut: readonly string[],
): Promise<readonly ReviewWarning[]> {
  const { left_out = worker.left_out } = await withLeftOut(context, worker, leftOut);
  return left_out === null ? [] : [{ kind: 'main_rewritten', branch, ...left_out }];
}

/** What the run of a worker says about its work comes before everything that the diff itself shows. */
function listMarks({ run }: Pick<Worker, 'run'>): readonly ReviewWarning[] {
  return run?.task?.marks === undefined ? [] : [{ kind: 'marked', run: run.id, marks: run.task.marks }];
}
