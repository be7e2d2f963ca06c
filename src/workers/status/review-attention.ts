import type { Attention } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';

/** What a person should do about finished work when nothing is in its way, or nothing any more. */
export function reviewAttention(worker: Pick<Worker, 'came_back_unchanged'>, uncommitted: boolean): Attention {
  return worker.came_back_unchanged && !uncommitted ? { kind: 'commit_unchanged', to_review: true } : { kind: 'review', uncommitted };
}
