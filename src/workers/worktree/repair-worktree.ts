import { readCommitId } from '../../git/inspect.ts';
import { localRef, trackingRef, workerBranch } from '../../git/refs.ts';
import { addWorktree, isWorktreePresent } from '../../git/worktree/worktree.ts';
import type { Database } from '../../store/database.ts';
import { openResolution, updateResolution } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { saveWork } from './save-work.ts';

type RepairContext = Pick<WorkContext, 'git' | 'layout' | 'store' | 'clock' | 'config'>;

/**
 * Makes a deleted worktree again from its branch. Otherwise tmux would start the agent in another directory. What git still keeps about
 * the deleted one (staged files, a commit on no branch) is saved first. Returns the name of that rescue.
 */
export async function repairWorktree(context: RepairContext, name: string): Promise<string | undefined> {
  const { git, layout, store } = context;
  const { worktree_path: path, commit_sha } = store.worker(name);
  if (isWorktreePresent(layout.root, path)) return undefined;
  const main = await mainBranch(context, await context.config());
  const branch = await readCommitId(git, layout.root, localRef(workerBranch(name))).catch(() => undefined);
  const saved = await saveWork(context, name, main, 'its worktree was gone', branch);
  // A deleted branch begins at the commit that waits for a review.
  const start = commit_sha === null ? undefined : await readCommitId(git, layout.root, commit_sha).catch(() => undefined);
  const { kind } = await addWorktree(git, layout.root, name, path, start ?? trackingRef(main));
  // A worktree that only lost its link to the repository still has its files.
  const gone = saved === undefined ? 'what was not committed is gone' : `what git still had of it is saved as ${saved.name}`;
  const lost = kind === 'kept' ? '' : `; ${gone}`;
  const resolution = openResolution(store.database, name);
  store.commit({
    worker: name,
    kind: 'repair',
    summary: `its worktree was missing; made again from ${workerBranch(name)}${lost}`,
    // Otherwise the missing rebase would look like one that the agent aborted.
    ...(resolution && { rows: (database: Database) => updateResolution(database, resolution.id, { worktree_lost: 1 }) }),
  });
  return saved?.name;
}
