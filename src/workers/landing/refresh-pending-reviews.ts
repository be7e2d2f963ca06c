import { describeError } from '../../base/error.ts';
import type { WorkContext } from '../context.ts';
import { forgetObstacle } from './forget-obstacle.ts';
import { awaitsReview, type Main, newestMain, type OnConflict, refreshReview } from './refresh-review.ts';

export interface Refreshed {
  /** Workers whose work is on the newest main since this round. */
  readonly rebased: readonly string[];
  /** Workers whose work could not be refreshed; the history says why. */
  readonly failed: readonly string[];
}

export interface RefreshOptions {
  /** A worker to leave out. */
  readonly except?: string;
  /** Main, if the caller knows it. Otherwise one fetch serves all workers. */
  readonly main?: Main;
  /** Without it, a conflict waits for a person. */
  readonly onConflict?: OnConflict;
  /** Once aborted, no further review is begun. */
  readonly signal?: AbortSignal;
}

/** Refreshes all pending reviews. A failure of one is recorded and does not stop the others. Never throws. */
export async function refreshReviews(context: WorkContext, { except, main, signal, onConflict }: RefreshOptions = {}): Promise<Refreshed> {
  const { store, locks } = context;
  const names = Object.values(store.state.workers)
    .filter((worker) => awaitsReview(worker) && worker.name !== except)
    .map(({ name }) => name);
  const rebased: string[] = [];
  const failed: string[] = [];
  if (names.length === 0) return { rebased, failed };
  const known = await attempt(context, null, async () => main ?? (await newestMain(context)));
  if (known.kind === 'failed') return { rebased, failed: names };
  const conflicting: string[] = [];
  const refresh = async (name: string, whenConflicting: OnConflict | undefined) => {
    // Another command works on it. The next round refreshes it.
    if (signal?.aborted || locks.isLocked(name)) return;
    const outcome = await attempt(context, name, () =>
      locks.withLock(name, async () => {
        await forgetObstacle(context, name);
        return await refreshReview(context, name, known.value, whenConflicting);
      }),
    );
    if (outcome.kind === 'failed') failed.push(name);
    else if (outcome.value.rebased) rebased.push(name);
  };
  // A resolution may run commands of the user for minutes: clean work does not wait for it.
  const later: OnConflict = async (name) => conflicting.push(name) > 0;
  for (const name of names) await refresh(name, onConflict && later);
  for (const name of conflicting) await refresh(name, onConflict);
  return { rebased, failed };
}

type Outcome<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'failed' };

/** Runs one step for a worker, or for all of them (`null`). The same reason is recorded once, until the step works again. */
async function attempt<T>(context: WorkContext, worker: string | null, step: () => Promise<T>): Promise<Outcome<T>> {
  const { refreshFailures } = context;
  try {
    const value = await step();
    refreshFailures.delete(worker);
    return { kind: 'done', value };
  } catch (error) {
    const problem = describeError(error);
    const recorded = refreshFailures.get(worker) ?? new Set();
    refreshFailures.set(worker, recorded);
    if (!recorded.has(problem)) record(context, worker, problem);
    recorded.add(problem);
    return { kind: 'failed' };
  }
}

function record({ store, say }: WorkContext, worker: string | null, problem: string): void {
  const summary = `the work could not be put on the newest main: ${problem}`;
  try {
    store.commit({ worker, kind: 'rebase', summary });
  } catch (error) {
    say(`${worker ?? 'All reviews'}: ${summary}. This could not be recorded: ${describeError(error)}`);
  }
}
