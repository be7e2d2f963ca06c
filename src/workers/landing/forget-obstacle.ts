import { dirtyFiles } from '../../git/inspect.ts';
import { isStillBlocked } from '../../git/landing/still-blocked.ts';
import type { WorkContext } from '../context.ts';
import { reviewAttention } from '../status/review-attention.ts';
import { awaitsReview } from './refresh-review.ts';

/** Work that did not land because of the source waits for review again as soon as nothing is in its way there. The caller has its lock. */
export async function forgetObstacle({ git, store }: WorkContext, name: string): Promise<void> {
  const worker = store.state.workers[name];
  if (!awaitsReview(worker) || worker.attention?.kind !== 'not_landed' || worker.attention.blocked === undefined) return;
  const { blocked } = worker.attention;
  if (await isStillBlocked(git, blocked)) return;
  const attention = reviewAttention(worker, (await dirtyFiles(git, worker.worktree_path)).length > 0);
  store.changeWorker(name, {
    kind: 'accept',
    summary: `nothing is in its way in ${blocked.where} any more: it can be accepted`,
    change: (record) => Object.assign(record, { attention }),
  });
}
