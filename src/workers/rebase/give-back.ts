import { messageOf } from '../../base/error.ts';
import { headOf } from '../../git/inspect.ts';
import { abortRebase, takeBranch } from '../../git/rebase/pass-commit.ts';
import { readSituation } from '../../git/rebase/stopped-rebase.ts';
import { cancelDeliveries } from '../../store/tables/deliveries.ts';
import { openResolution, type Resolution, settleResolution } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../context.ts';
import { commitMove } from '../status/commit-move.ts';
import { saveWork } from '../worktree/save-work.ts';

/** Ends a resolution without a result: the worker's commit is as before, and a person decides what follows. */
export async function giveBack(context: WorkContext, row: Resolution, why: string): Promise<void> {
  const { git, store, clock } = context;
  const { worktree_path: at } = store.worker(row.worker);
  await putWorkBack(context, row);
  const head = await headOf(git, at);
  commitMove(context, row.worker, 'gave_back', {
    why,
    fields: (worker) => ({
      ...{ commit_sha: head, rebase_started_at_unix: null },
      attention: { kind: 'conflict_given_up', branch: row.branch, files: row.files.length > 0 ? row.files : worker.conflicted_files },
    }),
    rows: (database) => {
      cancelDeliveries(database, row.worker, { kind: 'conflict_over' }, clock.now());
      settleResolution(database, row.id, 'aborted', clock.now());
    },
  });
}

/** Ends the rebase in the worktree, with the worker's commit as before. */
async function putWorkBack(context: WorkContext, row: Resolution): Promise<void> {
  const { git, store } = context;
  const { worktree_path: at, branch } = store.worker(row.worker);
  const found = await readSituation(git, at, row);
  if (found.kind === 'stopped') {
    // What the agent has resolved so far is on no branch afterwards.
    const saved = await saveWork(context, row.worker, row.branch, 'a rebase that was given up');
    if (saved !== undefined) context.say(`What was resolved so far is saved: llmc rescue show ${saved.name}`);
    await abortRebase(git, at, branch, row.head);
  } else if (found.branch !== branch) await takeBranch(git, at, branch, found.head);
}

/**
 * Before a worker is reset or removed in the middle of a resolution: its rescue then holds its finished work, and not main with
 * conflict markers. A worktree in which that fails is saved as it is.
 */
export async function putBackBeforeSaving(context: WorkContext, name: string): Promise<void> {
  const row = openResolution(context.store.database, name);
  if (row === undefined) return;
  await putWorkBack(context, row).catch((error: unknown) => context.say(`The rebase could not be taken back: ${messageOf(error)}`));
}
