import { LlmcError } from '../../base/error.ts';
import { endLeftRebase } from '../../git/rebase/end-rebase.ts';
import type { WorkContext } from '../context.ts';
import { awaitsReview, type Main, newestMain, type OnMain, refreshReview } from '../landing/refresh-review.ts';
import { requireReviewable, reviewQueue } from '../pool/pick.ts';
import { resolver } from '../rebase/resolve-conflict.ts';
import { isOnlyAnswer } from '../status/only-answer.ts';
import { standing } from '../status/transitions.ts';
import { formatWork } from './format-work.ts';

export interface Choosing {
  /** False: do not rebase the work onto the newest main first. */
  readonly patrol?: boolean | undefined;
  /** What an agent reads does not start the resolution of a conflict. */
  readonly byAgent?: boolean | undefined;
  /** Work that nobody has seen comes first. */
  readonly next?: boolean | undefined;
  /** Workers to leave out. */
  readonly skip?: readonly string[] | undefined;
}

/** Shows work. The caller has the lock of the worker. */
type Show<Shown> = (name: string, onMain: OnMain | undefined) => Promise<Shown>;

/**
 * Brings the first work of the queue up to date and shows it. Work that conflicts, or that cannot be read, does not keep the rest
 * waiting: the next one is taken.
 */
export async function chooseWork<Shown>(context: WorkContext, choosing: Choosing, show: Show<Shown>): Promise<Shown> {
  const { store, locks } = context;
  const queue = reviewQueue(store.state, { unseenFirst: choosing.next === true }).filter(({ name }) => !choosing.skip?.includes(name));
  const main = onceAsked(context);
  const failures: unknown[] = [];
  const conflicting: string[] = [];
  for (const { name } of queue) {
    try {
      const shown = await locks.withLock(name, async () => {
        const onMain = await bringUpToDate(context, name, choosing, main);
        const worker = store.worker(name);
        if (standing(worker) === 'rebasing') context.say(`${name} conflicts with main, and its agent is resolving that.`);
        if (!awaitsReview(worker)) return undefined;
        if (worker.conflicted_files.length === 0) return { shown: await show(name, onMain) };
        conflicting.push(name);
        return undefined;
      });
      if (shown !== undefined) return shown.shown;
    } catch (error) {
      failures.push(error);
    }
  }
  const [first] = conflicting;
  if (first !== undefined) return await locks.withLock(first, () => show(first, undefined));
  if (failures.length > 0) throw failures[0];
  throw new LlmcError('NOTHING_TO_REVIEW', 'no worker waits for a review', { hint: 'llmc status' });
}

/**
 * Puts the work on the newest main if that is possible without a conflict. Returns what was found about work that was on it already, so
 * that git is not asked again. The caller has the lock of the worker.
 */
export async function bringUpToDate(
  context: WorkContext,
  name: string,
  { patrol, byAgent }: Choosing,
  main: () => Promise<Main> = () => newestMain(context),
): Promise<OnMain | undefined> {
  requireReviewable(context.store.worker(name));
  await context.agents.keepWorktree(name);
  await endLeftRebase(context.git, context.store.worker(name).worktree_path);
  if (patrol === false || !awaitsReview(context.store.worker(name)) || isOnlyAnswer(context.store.worker(name))) return undefined;
  const { onMain } = await refreshReview(context, name, await main(), byAgent === true ? undefined : resolver(context, 'review'));
  if (byAgent === true || !awaitsReview(context.store.worker(name))) return onMain;
  await formatWork(context, name);
  // Formatting makes a commit.
  return (await context.config()).repo.format.length === 0 ? onMain : undefined;
}

function onceAsked(context: WorkContext): () => Promise<Main> {
  let asked: Promise<Main> | undefined;
  return () => (asked ??= newestMain(context));
}
