import type { Config } from '../../config/schema.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import { addWorktree, removeWorktree } from '../../git/worktree/worktree.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { copyFiles, reportEmptySubmodules, setUp } from './prepare-worktree.ts';

/** Makes a worktree and a branch on main, then lets the caller record the worker. If one step fails, nothing stays. The caller has the lock. */
export async function makeWorktree(context: WorkContext, config: Config, name: string, record: (worktree: string) => void): Promise<void> {
  const { layout, git } = context;
  const main = await fetchMain(git, layout.root, await mainBranch(context, config), config.repo.source);
  const worktree = layout.worktree(name);
  context.say(`Creating the worktree ${worktree}`);
  const added = await addWorktree(git, layout.root, name, worktree, main);
  try {
    await copyFiles(context, config, worktree);
    await setUp(context, config, worktree);
    await reportEmptySubmodules(context, worktree);
    context.files.makeFolder(layout.spool(name));
    record(worktree);
  } catch (error) {
    if (added.kind === 'created') await removeWorktree(git, layout.root, name, worktree);
    throw error;
  }
}
