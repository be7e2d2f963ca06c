import type { Config } from '../../config/schema.ts';
import { isAncestor, mergeBase } from '../../git/inspect.ts';
import { findTip, hasCommit } from '../../git/landing/land.ts';
import { localRef, trackingRef } from '../../git/refs.ts';
import { outside } from '../../git/run.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import type { Worker } from '../../store/state.ts';
import { branchOfRun } from '../../store/tables/landings.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { placeOfRun } from './choose-branch.ts';

interface Tip {
  readonly branch: string;
  readonly sha: string;
}

type BaseContext = Pick<WorkContext, 'git' | 'layout' | 'store'>;

/** Returns the commit that new work of a run begins at: the branch that its work has landed on, or main if that has it all. */
export async function runBase(context: WorkContext, config: Config, run: string | undefined): Promise<string> {
  const { git, layout } = context;
  const { source } = config.repo;
  const main = await mainBranch(context, config);
  const sha = await fetchMain(git, layout.root, main, source);
  return (await landedBranch(context, config, run, main))?.sha ?? sha;
}

/**
 * Returns the branch that a worker's work is compared with, put on and landed on in place of main: the one that its run has landed on
 * before. Undefined for main. `place`: the branch that the work lands on, null for main.
 */
export async function branchBelow(
  context: BaseContext,
  config: Config,
  worker: Worker,
  place: string | null = placeOfRun(config, worker),
): Promise<Tip | undefined> {
  const { git, layout, store } = context;
  const { run, worktree_path: at } = worker;
  if (run === null || place === null || branchOfRun(store.database, run.id) !== place) return undefined;
  const main = await mainBranch(context, config);
  const found = await landedBranch(context, config, run.id, main);
  if (found === undefined) return undefined;
  // An agent can put its work on a newer main itself. Compared with the branch, those commits of main would count as its own.
  const seen = outside(git);
  const shared = await mergeBase(seen, at, 'HEAD', trackingRef(main));
  return shared !== undefined && (await isAncestor(seen, layout.root, shared, found.sha)) ? found : undefined;
}

async function landedBranch(
  { git, layout, store }: BaseContext,
  { repo: { source } }: Config,
  run: string | undefined,
  main: string,
): Promise<Tip | undefined> {
  const { root } = layout;
  const branch = run === undefined ? null : branchOfRun(store.database, run);
  // An undo or a person may have deleted it.
  const tip = branch === null ? null : await findTip(git, { source, root, branch });
  if (branch === null || tip === null || (await hasCommit(git, source, tip, localRef(main)))) return undefined;
  return { branch, sha: await fetchMain(git, root, branch, source) };
}
