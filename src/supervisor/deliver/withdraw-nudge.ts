import { shortId } from '../../base/short-id.ts';
import { nextDelivery, withdrawNudges } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { judgeOwner } from '../../workers/tasks/owner.ts';
import type { Watch } from '../observe/watch.ts';

/**
 * Ends a run's question how far the task is when the turn is over that it waited for: the result answers it, and the last message of
 * another turn would take the place of that result. Returns true when it did.
 */
export function withdrawNudge({ store }: Pick<WorkContext, 'store'>, { name, reported, progress }: Watch): boolean {
  const { lastTurn } = reported;
  // Most passes end here.
  if (lastTurn === null || lastTurn.seq <= progress.handledTurn || judgeOwner(store.worker(name)) !== 'run') return false;
  const row = nextDelivery(store.database, name);
  if (row?.purpose !== 'nudge' || (row.state !== 'queued' && row.state !== 'held') || lastTurn.at < row.created_ms) return false;
  store.commit({
    worker: name,
    kind: 'delivery',
    summary: `${shortId(row.id)}: not sent, because the turn of its agent ended first`,
    rows: (database) => withdrawNudges(database, name, 'turn_over'),
  });
  return true;
}
