import { exchange } from '../../git/exchange/exchange.ts';
import { trackingRef, workerBranch } from '../../git/refs.ts';
import { addWorktree, isWorktreePresent } from '../../git/worktree/worktree.ts';
import type { Database } from '../../store/database.ts';
import { openResolution, updateResolution } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';

type RepairContext = Pick<WorkContext, 'git' | 'layout' | 'store' | 'config'>;

/** Makes a deleted worktree again from its branch. Otherwise tmux would start the agent in another directory. */
export async function repairWorktree(context: RepairContext, name: string): Promise<void> {
  const { git, layout, store } = context;
  const path = store.worker(name).worktree_path;
  if (isWorktreePresent(layout.root, path)) return;
  // The commits of a sandboxed worker are not in the root yet.
  await exchange(git, layout.root, path);
  const { kind } = await addWorktree(git, layout.root, name, path, trackingRef(await mainBranch(context, await context.config())));
  // A worktree that only lost its link to the repository still has its files.
  const lost = kind === 'kept' ? '' : '; what was not committed is gone';
  const resolution = openResolution(store.database, name);
  store.commit({
    worker: name,
    kind: 'repair',
    summary: `its worktree was missing; made again from ${workerBranch(name)}${lost}`,
    // Otherwise the missing rebase would look like one that the agent aborted.
    ...(resolution && { rows: (database: Database) => updateResolution(database, resolution.id, { worktree_lost: 1 }) }),
  });
}
