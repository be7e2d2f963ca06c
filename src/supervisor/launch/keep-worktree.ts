import { crashesInARow, oneMoreCrash } from '../../recovery/crashes.ts';
import type { Attention } from '../../store/attention.ts';
import type { WorkContext } from '../../workers/context.ts';
import { exitPolicy } from '../../workers/recovery-policy.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { isAtWork } from '../../workers/status/transitions.ts';
import { repairWorktree } from '../../workers/worktree/repair-worktree.ts';
import type { Watch } from '../observe/watch.ts';
import { relaunch } from './relaunch.ts';

/**
 * Restores a deleted worktree. The agent in it stands in a directory without a name, in which nothing works any more: llmc
 * starts it again in its conversation, with a prompt to continue if it was in the middle of a task. True when that was done.
 */
export async function keepWorktree(context: WorkContext, watch: Watch): Promise<boolean> {
  const { store, clock, files } = context;
  const { name } = watch;
  const before = store.worker(name);
  if (files.exists(before.worktree_path)) return false;
  await repairWorktree(context, name);
  if (before.status === 'offline' || before.status === 'error' || typeof watch.tmux.pane === 'string' || watch.tmux.pane.dead) return true;
  const crashed = isAtWork(before.status);
  const { maxCrashes } = exitPolicy(await context.config());
  if (crashed && crashesInARow(before, clock.now()) + 1 >= maxCrashes) {
    giveUp(context, name);
    return true;
  }
  await relaunch(context, watch, { why: 'its worktree was deleted while it ran', crashed });
  return true;
}

function giveUp(context: WorkContext, name: string): void {
  const why = 'its worktree was deleted several times';
  const attention: Attention = { kind: 'worktree_deleted' };
  commitMove(context, name, 'failed', { why, fields: (worker) => ({ ...oneMoreCrash(worker, context.clock.now()), attention }) });
}
