import { describeError, LlmcError } from '../base/error.ts';
import { clashesAmong } from '../git/rebase/clashes.ts';
import { predictConflicts } from '../git/rebase/conflict.ts';
import { outside } from '../git/run.ts';
import type { Worker } from '../store/state.ts';
import { landWork, refreshOthers } from './accept-work.ts';
import type { LandingPlace } from './branch/choose-branch.ts';
import { tipOfWork } from './branch/run-base.ts';
import type { WorkContext } from './context.ts';
import { type AfterAcceptFailure, afterAccept } from './landing/after-accept.ts';
import { ConflictError } from './landing/conflict-error.ts';
import type { AcceptResult, FinishedLanding } from './landing/finish-landing.ts';
import { landingOrder } from './landing/landing-order.ts';
import { newestMain } from './landing/refresh-review.ts';
import { type EarlierLanding, earlierLandings, reportLanded } from './landing/report-landed.ts';
import { reviewQueue } from './pool/pick.ts';
import { isOnlyAnswer } from './status/only-answer.ts';

export interface AcceptAllRequest extends LandingPlace {
  /** Leave work alone that nobody has reviewed. */
  readonly requireReview?: boolean | undefined;
  readonly patrol?: boolean | undefined;
}

/** Work that did not land, and why. */
export interface LeftWork {
  readonly worker: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export interface AcceptAllResult {
  readonly accepted: readonly AcceptResult[];
  /** What an interrupted accept had landed without saying so. */
  readonly earlier: readonly Omit<EarlierLanding, 'id'>[];
  readonly left: readonly LeftWork[];
  /** The command of `[repo] after_accept` that failed. */
  readonly after_accept: AfterAcceptFailure | null;
}

/** Lands everything that is reviewed and clean, in the order in which most of it fits. The failure of one does not stop the others. */
export async function acceptAll(context: WorkContext, request: AcceptAllRequest): Promise<AcceptAllResult> {
  const landed: FinishedLanding[] = [];
  try {
    return await acceptEach(context, request, landed);
  } finally {
    for (const { id } of landed) context.accepting.delete(id);
  }
}

async function acceptEach(
  context: WorkContext,
  { requireReview, patrol, branch, main }: AcceptAllRequest,
  landed: FinishedLanding[],
): Promise<AcceptAllResult> {
  const earlier = await earlierLandings(context);
  const left: LeftWork[] = [];
  let after_accept: AfterAcceptFailure | null = null;
  try {
    for (const name of await inBestOrder(context)) {
      try {
        const finished = await landWork(context, { worker: name, requireReview, onlyClean: true, leaveConflicts: true, branch, main });
        landed.push(finished);
        const { commit } = finished.accepted;
        context.say(`${name}: ${commit === null ? 'nothing to land' : `landed ${commit.slice(0, 12)}`}`);
      } catch (error) {
        context.signal.throwIfAborted();
        left.push(leftBecause(name, error));
        context.say(`${name}: not landed: ${left.at(-1)?.message ?? ''}`);
      }
    }
  } finally {
    // Once for all of them, also if the person who asked is gone by now.
    after_accept = await afterAccept(context);
  }
  const last = landed.findLast(({ accepted }) => accepted.landing === 'main');
  if (patrol === true && last !== undefined) await refreshOthers(context, { main: { branch: last.accepted.branch, sha: last.main } });
  const result = {
    accepted: landed.map(({ accepted }) => accepted),
    earlier: earlier.map(withoutId),
    // Only for a better hint.
    left: await withConflicts(context, left).catch(() => left),
    after_accept,
  };
  reportLanded(
    context,
    [...earlier, ...landed].map(({ id }) => id),
  );
  return result;
}

const withoutId = ({ worker, commit, subject }: EarlierLanding) => ({ worker, commit, subject });

async function inBestOrder({ git, layout, store }: WorkContext): Promise<readonly string[]> {
  const queue: readonly Worker[] = reviewQueue(store.state, { unseenFirst: false }).filter((worker) => !isOnlyAnswer(worker));
  const works = queue.flatMap(({ name, commit_sha, base_commit }) =>
    commit_sha === null ? [] : [{ name, head: commit_sha, base: base_commit }],
  );
  const names = queue.map(({ name }) => name);
  return landingOrder(names, await clashesAmong(outside(git), layout.root, works));
}

function leftBecause(worker: string, error: unknown): LeftWork {
  const { code, message, hint = null } = error instanceof LlmcError ? error : { code: 'INTERNAL', message: describeError(error) };
  return { worker, code, message, hint };
}

/** A review alone would not help unreviewed work that conflicts with the newest main: its hint is to resolve that. */
async function withConflicts(context: WorkContext, left: readonly LeftWork[]): Promise<readonly LeftWork[]> {
  if (!left.some(isUnreviewed)) return left;
  const newest = await newestMain(context);
  const config = await context.config();
  const conflicts = async (name: string): Promise<ConflictError | undefined> => {
    const worker = context.store.worker(name);
    const main = await tipOfWork(context, config, worker, newest);
    const files = await predictConflicts(outside(context.git), worker.worktree_path, main.sha, 'HEAD');
    return files.length === 0 ? undefined : new ConflictError(name, main, files);
  };
  return await Promise.all(
    left.map(async (each) => {
      const found = isUnreviewed(each) ? await conflicts(each.worker).catch(() => undefined) : undefined;
      return found === undefined ? each : leftBecause(each.worker, found);
    }),
  );
}

const isUnreviewed = ({ code }: LeftWork): boolean => code === 'WORK_NOT_REVIEWED';
