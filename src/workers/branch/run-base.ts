import type { Config } from '../../config/schema.ts';
import { findTip, hasCommit } from '../../git/landing/land.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import { branchOfRun } from '../../store/tables/landings.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';

/** Returns the commit that new work of a run begins at: the branch that its work has landed on, or main if that has it all. */
export async function runBase(context: WorkContext, config: Config, run: string | undefined): Promise<string> {
  const { git, layout, store } = context;
  const { source } = config.repo;
  const { root } = layout;
  const main = await fetchMain(git, root, await mainBranch(context, config), source);
  const branch = run === undefined ? null : branchOfRun(store.database, run);
  // An undo or a person may have deleted it.
  const tip = branch === null ? null : await findTip(git, { source, root, branch });
  if (branch === null || tip === null || (await hasCommit(git, source, tip, main))) return main;
  return await fetchMain(git, root, branch, source);
}
