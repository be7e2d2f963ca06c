import { describeError, LlmcError } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import { commandLine } from '../base/shell-quote.ts';
import { readStatus } from '../git/inspect.ts';
import { endLeftRebase } from '../git/rebase/end-rebase.ts';
import type { Worker } from '../store/state.ts';
import { writtenMessage } from '../store/tables/drafts.ts';
import { continueLanding, findLanding, insertLanding, type Landing, openLandings, redirectLanding } from '../store/tables/landings.ts';
import { acceptCommand } from './branch/accept-command.ts';
import { chooseBranch, type LandingPlace, placeToRemember } from './branch/choose-branch.ts';
import type { WorkContext } from './context.ts';
import { afterAccept } from './landing/after-accept.ts';
import { ConflictError } from './landing/conflict-error.ts';
import { type AcceptResult, type FinishedLanding, finishLanding } from './landing/finish-landing.ts';
import { type RefreshOptions, refreshReviews } from './landing/refresh-pending-reviews.ts';
import { awaitsReview } from './landing/refresh-review.ts';
import { earlierLandings, reportLanded } from './landing/report-landed.ts';
import { requireSurvival } from './landing/require-survival.ts';
import { requireReviewable, reviewedWorker } from './pool/pick.ts';
import { conflictMet, resolver } from './rebase/resolve-conflict.ts';
import { formatWork } from './review/format-work.ts';
import { requireCommit } from './status/only-answer.ts';
import type { FailedLine } from './worktree/shell-lines.ts';

export interface AcceptRequest extends LandingPlace {
  readonly worker?: string | undefined;
  /** Replaces the commit message. */
  readonly message?: string | undefined;
  /** Land also what lost lines when its conflict was resolved. */
  readonly allowDropped?: boolean | undefined;
  /** Whether other pending reviews are put on the new main afterwards. */
  readonly patrol?: boolean | undefined;
  /** Refuse work that nobody has reviewed. */
  readonly requireReview?: boolean | undefined;
  /** Part of an accept of everything that is clean. */
  readonly onlyClean?: boolean | undefined;
  /** Do not ask the agent to resolve a conflict. */
  readonly leaveConflicts?: boolean | undefined;
}

/** Lands one worker's commit on main, then refreshes the reviews of the others; or on another branch, which changes nothing for them. */
export async function acceptWork(context: WorkContext, request: AcceptRequest): Promise<AcceptResult> {
  const earlier = await earlierLandings(context);
  for (const { worker, commit, subject } of earlier)
    context.say(`${worker}: landed ${commit.slice(0, 12)} before, by an accept that was interrupted: ${subject}`);
  const { id, accepted, main } = await landWork(context, request);
  try {
    if (request.patrol === true && accepted.landing === 'main')
      await refreshOthers(context, { except: accepted.worker, main: { branch: accepted.branch, sha: main } });
    const result = { ...accepted, after_accept: await afterAccept(context) };
    reportLanded(context, [...earlier.map((each) => each.id), id]);
    return result;
  } finally {
    context.accepting.delete(id);
  }
}

/** A supervisor does this in the background: the user need not wait, and the history records failures. */
export async function refreshOthers(context: WorkContext, which: Pick<RefreshOptions, 'except' | 'main'>): Promise<void> {
  const others = refreshReviews(context, { ...which, onConflict: resolver(context, 'patrol') });
  if (!context.supervised) await others;
}

/** Writes the intent first: after a crash, the landing is finished and not repeated. */
export async function landWork(context: WorkContext, request: AcceptRequest): Promise<FinishedLanding> {
  const { store, clock, random, git } = context;
  for (;;) {
    const name = (request.worker === undefined ? reviewedWorker(store.state, 'accept') : store.worker(request.worker)).name;
    const landed = await context.locks.withLock(name, async () => {
      const worker = store.worker(name);
      // Another accept was faster. The next worker is meant, if there is one.
      if (request.worker === undefined && !awaitsReview(worker)) return undefined;
      requireReviewable(worker);
      requireCommit(worker, 'accept');
      requireDecided(worker, request);
      if (request.requireReview === true) requireReviewed(worker, request.branch);
      await context.agents.keepWorktree(name);
      await endLeftRebase(git, worker.worktree_path);
      if (worker.reviewed_patch_id === null) requireFormatted(name, await formatWork(context, name));
      const { head = '', changes } = await readStatus(git, worker.worktree_path);
      if (changes.length > 0) {
        throw new LlmcError('WORKTREE_DIRTY', `${name} has uncommitted changes: ${changes.map(({ path }) => path).join(', ')}`, {
          hint: `Ask it to commit them: llmc reject --worker ${name} "Commit or remove the remaining changes"`,
        });
      }
      await requireSurvival(context, worker, head, request);
      // An accept without a supervisor crashed and left this landing open. Finish it instead of opening a second one.
      const open = openLandings(store.database).find((each) => each.worker === name);
      if (open !== undefined) {
        const branch = placeOfOpen(context, open, request);
        const change = await remembering(context, request, branch);
        store.changeWorker(name, { kind: 'accept', summary: `continued, for ${branch ?? 'main'}`, change });
        return await landOrResolve(context, { ...open, branch, message: request.message ?? open.message }, request);
      }
      const branch = await chooseBranch(context, worker, request);
      fault('accept:before-intent');
      const landing: Landing = {
        id: random.id(),
        worker: name,
        phase: 'intended',
        message: request.message ?? writtenMessage(store.database, name)?.text ?? null,
        head,
        branch,

        branch_before: null,
        onto: null,
        landed: null,
        work: null,
        before: null,
        created_ms: clock.now(),
        settled_ms: null,
        outcome: null,
      };
      store.changeWorker(name, {
        kind: 'accept',
        summary: `accepting ${head.slice(0, 12)}${branch === null ? '' : ` for ${branch}`}`,
        change: await remembering(context, request, branch),
        rows: (database) => {
          insertLanding(database, landing);
          if (branch !== null && worker.attention?.kind === 'unsettled_landing')
            continueLanding(database, landing.id, name, worker.attention.commit);
        },
      });
      fault('accept:after-intent');
      return await landOrResolve(context, findLanding(store.database, landing.id) ?? landing, request);
    });
    if (landed !== undefined) return landed;
  }
}

/** Until the work lands, is rejected or makes room for another task, the next accept without a place means the one of this accept. */
async function remembering(context: WorkContext, request: AcceptRequest, branch: string | null): Promise<(worker: Worker) => void> {
  const config = await context.config();
  const isChosen = request.branch !== undefined || request.main === true;
  return (worker) => {
    if (isChosen) worker.chosen_place = placeToRemember(config, worker, branch);
  };
}

/** An accept that was interrupted goes on where it began. Its commit may be there already, so another place is for the time after it. */
function placeOfOpen({ store }: WorkContext, open: Landing, { branch, main }: AcceptRequest): string | null {
  const wanted = branch ?? (main === true ? null : open.branch);
  if (wanted === open.branch) return wanted;
  if (open.phase === 'intended') {
    redirectLanding(store.database, open.id, wanted);
    return wanted;
  }
  const place = open.branch === null ? ['--main'] : ['--branch', open.branch];
  throw new LlmcError('LANDING_REFUSED', `an accept of ${open.worker} was interrupted while it landed on ${open.branch ?? 'main'}`, {
    hint: `Finish it there: ${commandLine('llmc', 'accept', open.worker, ...place)}; then, to take it back: llmc undo ${open.worker}`,
  });
}

/** A conflict goes to the worker's agent; the accept itself has failed. */
async function landOrResolve(context: WorkContext, landing: Landing, { leaveConflicts }: AcceptRequest): Promise<FinishedLanding> {
  context.accepting.add(landing.id);
  try {
    return await finishLanding(context, landing);
  } catch (error) {
    context.accepting.delete(landing.id);
    if (!(error instanceof ConflictError) || leaveConflicts === true) throw error;
    throw await conflictMet(context, landing.worker, { main: error.main, files: error.files, cause: 'accept' });
  }
}

function requireFormatted(name: string, failed: FailedLine | undefined): void {
  if (failed === undefined) return;
  throw new LlmcError('VALIDATION_FAILED', `"${failed.line}" failed for ${name}: ${failed.reason}. The whole output: ${failed.log}`, {
    hint: `${commandLine('llmc', 'reject', '--worker', name, `Make this pass: ${failed.line}`)}; or review it as it is: llmc review ${name}`,
    details: failed.output,
    detailsSaid: true,
  });
}

function requireReviewed({ name, reviewed_patch_id, attention }: Worker, branch: string | undefined): void {
  // What is on main already needs no review.
  if (reviewed_patch_id !== null || attention?.kind === 'unsettled_landing') return;
  throw new LlmcError('WORK_NOT_REVIEWED', `nobody has reviewed the work of ${name}`, {
    hint: `llmc review ${name}; or land it without a review: ${acceptCommand(name, branch, '--yes')}`,
  });
}

/** Work that a person sent back and that came back as it was lands only if they mean it: by its name, or after another look at it. */
function requireDecided(record: Worker, { worker, onlyClean, requireReview, branch }: AcceptRequest): void {
  const { name, attention, shown_revision } = record;
  // What is on main already was decided.
  if (!record.came_back_unchanged || shown_revision !== null || attention?.kind === 'unsettled_landing') return;
  if (onlyClean !== true && (worker !== undefined || requireReview !== true)) return;
  throw new LlmcError('WORK_NOT_REVIEWED', `${name} left its commit unchanged after your feedback`, {
    hint: `llmc review ${name}; or land it all the same: ${acceptCommand(name, branch)}`,
  });
}

/** Takes back the rebases of llmc that a crash interrupted. */
export async function endLeftRebases({ git, store, locks, say }: WorkContext): Promise<void> {
  for (const { name, worktree_path: at } of Object.values(store.state.workers))
    await locks
      .withLock(name, () => endLeftRebase(git, at))
      .catch((error: unknown) => say(`${name}: a rebase that llmc had begun could not be taken back: ${describeError(error)}`));
}

/** Finishes every accept that a crash interrupted. An accept that cannot be finished goes back to review, with the reason. */
export async function finishOpenLandings(context: WorkContext): Promise<void> {
  for (const landing of openLandings(context.store.database)) {
    if (context.store.state.workers[landing.worker] === undefined) continue;
    await context.locks
      .withLock(landing.worker, () => finishLanding(context, landing))
      .then(
        ({ accepted }) =>
          context.say(`Finished accepting ${accepted.worker}: ${accepted.commit?.slice(0, 12) ?? 'nothing to land'} ${accepted.subject}`),
        (error: unknown) =>
          context.say(`Could not finish accepting ${landing.worker}: ${error instanceof Error ? error.message : String(error)}`),
      );
  }
  await afterAccept(context).catch((error: unknown) => context.say(`after_accept: ${describeError(error)}`));
}
