import type { Config } from '../../config/schema.ts';
import { isAncestor, mergeBase } from '../../git/inspect.ts';
import { findTip, hasCommit } from '../../git/landing/land.ts';
import { localRef, trackingRef } from '../../git/refs.ts';
import { outside } from '../../git/run.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import type { Database } from '../../store/database.ts';
import type { Worker } from '../../store/state.ts';
import { branchOfRun } from '../../store/tables/landings.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';

interface Tip {
  readonly branch: string;
  readonly sha: string;
}

interface BaseContext extends Pick<WorkContext, 'git' | 'layout'> {
  readonly store: { readonly database: Database };
}

/** Returns the commit that new work of a run begins at: the branch that its work has landed on, or main if that has it all. */
export async function runBase(context: WorkContext, config: Config, run: string | undefined): Promise<string> {
  const { git, layout } = context;
  const { source } = config.repo;
  const main = await mainBranch(context, config);
  const sha = await fetchMain(git, layout.root, main, source);
  return (await landedBranch(context, config, run, main))?.sha ?? sha;
}

/** Work as git has it, and where a person or its run wants it to land. */
interface Compared {
  readonly run: string | null;
  readonly chosen: Worker['chosen_place'];
  /** A repository that has its newest commit, and that commit. */
  readonly at: string;
  readonly head: string;
}

const toCompared = ({ run, chosen_place: chosen, worktree_path: at }: Worker): Compared => ({
  run: run?.id ?? null,
  chosen,
  at,
  head: 'HEAD',
});

/** Returns the branch that a worker's work is compared with: the one that it will land on if its run has landed on that before, else main. */
export async function branchOfWork(context: BaseContext, config: Config, worker: Worker): Promise<string> {
  return (await branchBelow(context, config, toCompared(worker)))?.branch ?? (await mainBranch(context, config));
}

/** The same for a commit of a run, before a person is asked to land it. */
export async function branchOfCommit(context: BaseContext, config: Config, commit: string, run: string): Promise<string> {
  const work = { run, chosen: null, at: context.layout.root, head: commit };
  return (await branchBelow(context, config, work))?.branch ?? (await mainBranch(context, config));
}

/**
 * Returns the same branch with its newest commit: what the work is put on and landed on. `newest`: main, as it is now. `place`: the branch
 * that an accept lands it on, null for main.
 */
export async function tipOfWork(context: BaseContext, config: Config, worker: Worker, newest: Tip, place?: string | null): Promise<Tip> {
  return (await branchBelow(context, config, toCompared(worker), place)) ?? newest;
}

/** Undefined for main. */
async function branchBelow(
  context: BaseContext,
  config: Config,
  { run, chosen, at, head }: Compared,
  place: string | null | undefined = chosen?.branch,
): Promise<Tip | undefined> {
  const { git, layout, store } = context;
  if (run === null || place === null || (place !== undefined && branchOfRun(store.database, run) !== place)) return undefined;
  const main = await mainBranch(context, config);
  const found = await landedBranch(context, config, run, main);
  if (found === undefined) return undefined;
  // An agent can put its work on a newer main itself. Compared with the branch, those commits of main would count as its own.
  const seen = outside(git);
  const shared = await mergeBase(seen, at, head, trackingRef(main));
  return shared !== undefined && (await isAncestor(seen, layout.root, shared, found.sha)) ? found : undefined;
}

/** Returns the branch that a run has landed on last, unless that is main, or main has it all: what comes next lands there too. */
export async function branchToGoOn(context: BaseContext, config: Config, run: string): Promise<string | null> {
  return (await tipToGoOn(context, config, run))?.branch ?? null;
}

/** The same branch with its newest commit, which the root has then; undefined for main. */
export async function tipToGoOn(context: BaseContext, config: Config, run: string): Promise<Tip | undefined> {
  return await landedBranch(context, config, run, await mainBranch(context, config));
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
