import { branchAfter, branchNameProblem, isFixedBranch } from '../../base/branch-name.ts';
import { LlmcError } from '../../base/error.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Config } from '../../config/schema.ts';
import { findTip, symbolicCall } from '../../git/landing/land.ts';
import type { Worker } from '../../store/state.ts';
import { openLandings } from '../../store/tables/landings.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { chosenPlaceText, runPlaceText } from './chosen-place-text.ts';
import { branchToGoOn } from './run-base.ts';

/** Where a person wants a commit to land; without either, what they chose before, and then `[repo] landing`. */
export interface LandingPlace {
  /** A branch of the source that is not main. */
  readonly branch?: string | undefined;
  readonly main?: boolean | undefined;
}

/** Returns the branch that a worker's commit lands on; null for main. */
export async function chooseBranch(context: WorkContext, worker: Worker, { branch, main }: LandingPlace): Promise<string | null> {
  const config = await context.config();
  const { attention } = worker;
  // The commit is there already; only the rest of its accept is left.
  if (attention?.kind === 'unsettled_landing') return attention.branch === (await mainBranch(context, config)) ? null : attention.branch;
  if (branch !== undefined) return await usable(context, config, worker, branch);
  if (main === true) return null;
  if (worker.chosen_place !== null) return await chosenBefore(context, config, worker, worker.chosen_place);
  const landed = worker.run === null ? null : await branchToGoOn(context, config, worker.run.id);
  // What began on the branch is compared with it; on another one it would bring along what the run has landed before.
  if (landed !== null) {
    if (landed !== fixedBranch(config, worker)) context.say(runPlaceText(worker.name, landed));
    return await usable(context, config, worker, landed);
  }
  if (config.repo.landing === 'main') return null;
  return await usable(context, config, worker, await ownBranch(context, config, worker));
}

/** An accept that did not land counts for the next one: its branch must not be lost while the worker resolves a conflict. */
async function chosenBefore(
  context: WorkContext,
  config: Config,
  worker: Worker,
  place: NonNullable<Worker['chosen_place']>,
): Promise<string | null> {
  context.say(chosenPlaceText(worker.name, place));
  return place.branch === null ? null : await usable(context, config, worker, place.branch);
}

/** What a record keeps of a choice; null if main is where the work lands anyway. The work of a run may go on elsewhere. */
export function placeToRemember({ repo }: Config, { run }: Pick<Worker, 'run'>, branch: string | null): Worker['chosen_place'] {
  return branch === null && repo.landing === 'main' && run === null ? null : { branch };
}

/** The branch that the configuration names for work; null for main, and for a branch after the task. */
export function fixedBranch({ repo: { landing, landingBranch: pattern } }: Config, { run }: Pick<Worker, 'run'>): string | null {
  if (landing === 'main') return null;
  if (isFixedBranch(pattern)) return pattern;
  return run === null ? null : branchOfRun(run.id);
}

/** All work of a run belongs together. */
const branchOfRun = (run: string): string => `run/${run}`;

/** The first number that is free: another task may begin with the same words. */
const MOST_NUMBERS = 1_000;

async function ownBranch(context: WorkContext, config: Config, worker: Worker): Promise<string> {
  const { name, current_prompt } = worker;
  const { source, landingBranch: pattern } = config.repo;
  const fixed = fixedBranch(config, worker);
  if (fixed !== null) return fixed;
  const wanted = branchAfter(pattern, { worker: name, task: current_prompt ?? '' });
  const taken = new Set(openLandings(context.store.database).map((landing) => landing.branch));
  for (let number = 1; number < MOST_NUMBERS; number += 1) {
    const branch = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(branch) && (await findTip(context.git, { source, root: context.layout.root, branch })) === null) return branch;
  }
  throw refusedName(name, wanted, 'a thousand branches have this name with a number');
}

/** Refuses a name that git does not allow, that llmc needs itself, or that would move main. */
async function usable(context: WorkContext, config: Config, { name }: Worker, branch: string): Promise<string> {
  const problem = branchNameProblem(branch);
  if (problem !== undefined) throw refusedName(name, branch, problem);
  const main = await mainBranch(context, config);
  // Where the file system ignores case, they are one file.
  if (branch.toLowerCase() === main.toLowerCase())
    throw new LlmcError('INVALID_ARGUMENT', `${branch} is the main branch`, { hint: `To land there: llmc accept ${name} --main` });
  const symbolic = await context.git.run(symbolicCall(config.repo.source, branch));
  if (symbolic.status === 0) throw refusedName(name, branch, `it stands for ${symbolic.stdout.trim()}`);
  return branch;
}

function refusedName(worker: string, branch: string, problem: string): LlmcError {
  return new LlmcError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(visibleLine(branch.slice(0, 80)))} is not a branch that llmc can land on: ${problem}`,
    {
      hint: `Choose a name such as: llmc accept ${worker} --branch ${worker}/fix`,
    },
  );
}
