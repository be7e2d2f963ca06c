import { messageOf } from '../base/error.ts';
import { pruneDeliveries } from '../store/tables/deliveries.ts';
import { pruneHistory } from '../store/tables/history.ts';
import type { WorkContext } from '../workers/context.ts';
import { refreshReviews } from '../workers/landing/refresh-pending-reviews.ts';
import { resolver } from '../workers/rebase/resolve-conflict.ts';
import { keepConnections } from '../workers/worktree/keep-connections.ts';

/**
 * The slow round beside the quick passes: puts back what agents changed in the root's `.git`, and rebases work that waits for review onto the newest main, also when another
 * person moved main. Rounds never overlap; the next round tries again what failed in this one.
 */
export async function patrol(context: WorkContext, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { defaults } = await context.config().catch(() => ({ defaults: { patrolIntervalSecs: 60 } }));
    await context.clock.sleep(defaults.patrolIntervalSecs * 1_000, signal).catch(() => undefined);
    if (signal.aborted) return;
    await patrolOnce(context).catch((error: unknown) => context.say(`Patrol: ${messageOf(error)}`));
  }
}

export async function patrolOnce(context: WorkContext): Promise<void> {
  const { store, clock } = context;
  await keepConnections(context);
  const { rebased, failed } = await refreshReviews(context, { signal: context.signal, onConflict: resolver(context, 'patrol') });
  const did = [
    ...(rebased.length === 0 ? [] : [`rebased ${rebased.join(', ')}`]),
    ...(failed.length === 0 ? [] : [`could not refresh ${failed.join(', ')}`]),
  ];
  store.commit({
    worker: null,
    kind: 'patrol',
    summary: did.length === 0 ? 'nothing to do' : did.join('; '),
    rows: (database) => {
      pruneHistory(database);
      pruneDeliveries(database);
    },
    state: (draft) => {
      draft.patrol_last_run_unix = Math.floor(clock.now() / 1_000);
    },
  });
}
