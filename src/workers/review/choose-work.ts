import { LlmcError } from '../../base/error.ts';
import { endLeftRebase } from '../../git/rebase/end-rebase.ts';
import type { WorkContext } from '../context.ts';
import { awaitsReview, type Main, newestMain, refreshReview } from '../landing/refresh-review.ts';
import { requireReviewable, reviewQueue } from '../pool/pick.ts';
import { resolver } from '../rebase/resolve-conflict.ts';
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

/**
 * Brings the first work of the queue up to date and returns its worker. Work that conflicts, or that cannot be read, does not keep
 * the rest waiting: the next one is taken.
 */
export async function chooseWork(context: WorkContext, choosing: Choosing): Promise<string> {
  const { store } = context;
  const queue = reviewQueue(store.state, { unseenFirst: choosing.next === true }).filter(({ name }) => !choosing.skip?.includes(name));
  const main = onceAsked(context);
  const failures: unknown[] = [];
  const conflicting: string[] = [];
  for (const { name } of queue) {
    try {
      await bringUpToDate(context, name, choosing, main);
    } catch (error) {
      failures.push(error);
      continue;
    }
    const worker = store.worker(name);
    if (standing(worker) === 'rebasing') context.say(`${name} conflicts with main, and its agent is resolving that.`);
    if (!awaitsReview(worker)) continue;
    if (worker.conflicted_files.length === 0) return name;
    conflicting.push(name);
  }
  const [first] = conflicting;
  if (first !== undefined) return first;
  if (failures.length > 0) throw failures[0];
  throw new LlmcError('NOTHING_TO_REVIEW', 'no worker waits for a review', { hint: 'llmc status' });
}

/** Puts the work on the newest main if that is possible without a conflict. */
export async function bringUpToDate(
  context: WorkContext,
  name: string,
  { patrol, byAgent }: Choosing,
  main: () => Promise<Main> = () => newestMain(context),
): Promise<void> {
  requireReviewable(context.store.worker(name));
  await context.locks.withLock(name, async () => {
    await context.agents.keepWorktree(name);
    await endLeftRebase(context.git, context.store.worker(name).worktree_path);
    if (patrol === false || !awaitsReview(context.store.worker(name))) return;
    await refreshReview(context, name, await main(), byAgent === true ? undefined : resolver(context, 'review'));
    if (byAgent !== true && awaitsReview(context.store.worker(name))) await formatWork(context, name);
  });
}

function onceAsked(context: WorkContext): () => Promise<Main> {
  let asked: Promise<Main> | undefined;
  return () => (asked ??= newestMain(context));
}
