import { trackingRef, workerBranch } from '../../git/refs.ts';
import { addWorktree, isWorktreePresent } from '../../git/worktree/worktree.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';

type RepairContext = Pick<WorkContext, 'git' | 'layout' | 'store' | 'config'>;

/** A worktree somebody deleted comes back from its branch, before an agent is started in whatever directory tmux finds instead. */
export async function repairWorktree(context: RepairContext, name: string): Promise<void> {
  const { git, layout, store } = context;
  const path = store.worker(name).worktree_path;
  if (await isWorktreePresent(git, path)) return;
  const { kind } = await addWorktree(git, layout.root, name, path, trackingRef(await mainBranch(context, await context.config())));
  // One that only lost its link to the repository has everything it had.
  const lost = kind === 'kept' ? '' : '; what was not committed is gone';
  store.commit({ worker: name, kind: 'repair', summary: `its worktree was missing; made again from ${workerBranch(name)}${lost}` });
}
