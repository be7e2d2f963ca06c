import { trackingRef, workerBranch } from '../git/refs.ts';
import { addWorktree, isWorktreePresent } from '../git/worktree.ts';
import type { WorkContext } from '../workers/context.ts';
import { mainBranch } from '../workers/main-branch.ts';

/** A worktree somebody deleted comes back from its branch, before an agent is started in whatever directory tmux finds instead. */
export async function repairWorktree(context: WorkContext, name: string): Promise<void> {
  const { git, layout, store } = context;
  const path = store.worker(name).worktree_path;
  if (await isWorktreePresent(git, path)) return;
  await addWorktree(git, layout.root, name, path, trackingRef(await mainBranch(context, await context.config())));
  store.commit({ worker: name, kind: 'repair', summary: `its worktree was missing; made again from ${workerBranch(name)}` });
}
