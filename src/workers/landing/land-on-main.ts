import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Config } from '../../config/schema.ts';
import { isAncestor, readCommitId } from '../../git/inspect.ts';
import { findTip, hasCommit, land } from '../../git/landing/land.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import { type Landing, markLanded } from '../../store/tables/landings.ts';
import { acceptCommand } from '../branch/accept-command.ts';
import { putOnBranch } from '../branch/put-on-branch.ts';
import { tipOfWork } from '../branch/run-base.ts';
import { validateOnBranch } from '../branch/validate-on-branch.ts';
import type { WorkContext } from '../context.ts';
import { LOCK_KEYS } from '../lock-keys.ts';
import type { FailedLine } from '../worktree/shell-lines.ts';
import { keepAndReturn, noteOnMain } from './keep-for-undo.ts';
import { mainBranch } from './main-branch.ts';
import { changed, type PreparedCommit, prepareCommit } from './prepare-landing.ts';
import { requireLanded } from './require-landed.ts';
import { isValidated, validateWork } from './validate-work.ts';

/** After this many moves of main, give up and report it. */
const MOST_TRIES = 5;

export interface LandingResult {
  /** How it got there. `nothing`: the branch had the change already, from elsewhere. */
  readonly how: 'merge' | 'push' | 'already-landed' | 'nothing';
  /** Null if there was nothing to land. */
  readonly commit: string | null;
  /** Of the commit, if this accept made it. */
  readonly subject?: string;
  /** Where it landed: main, or the branch of the landing. */
  readonly branch: string;
  /** Returns what main is now. Called after the landing counts as done: a failure here must not look like a failed landing. */
  readonly main: () => Promise<string>;
}

/** The commit to land, and what it builds on: main, or what its run has landed on the same branch before. */
interface Prepared extends PreparedCommit {
  readonly onto: string;
}

type Step =
  | { readonly kind: 'done'; readonly result: LandingResult }
  | { readonly kind: 'validate'; readonly prepared: Prepared }
  /** The files on the branch are others than those in the worktree. */
  | { readonly kind: 'validate-on-branch'; readonly prepared: Prepared; readonly commit: string }
  | { readonly kind: 'moved'; readonly prepared: Prepared };

interface Attempt {
  readonly config: Config;
  readonly branch: string;
  readonly prepared: Prepared | undefined;
  /** This process has validated the commit. */
  readonly validated: boolean;
}

/**
 * Rebases, squashes, validates and lands. Only one landing at a time reads main and moves it, but the others do not wait for a validation:
 * if main moved meanwhile, the commit is made and validated again.
 */
export async function landOnMain(context: WorkContext, landing: Landing): Promise<LandingResult> {
  const config = await context.config();
  const branch = await mainBranch(context, config);
  let prepared: Prepared | undefined;
  let validated = false;
  for (let moves = 0; moves < MOST_TRIES; ) {
    const step = await context.locks.withLock(LOCK_KEYS.main, () => attempt(context, landing, { config, branch, prepared, validated }));
    switch (step.kind) {
      case 'done':
        return step.result;
      case 'validate':
        if (prepared !== undefined) moves += 1;
        await validate(context, config, landing.worker, step.prepared.sha);
        [prepared, validated] = [step.prepared, true];
        continue;
      case 'validate-on-branch':
        moves += 1;
        await validateOnBranch(context, config, landing, step.commit);
        [prepared, validated] = [step.prepared, true];
        continue;
      case 'moved':
        context.say(`${landing.branch ?? branch} moved meanwhile; rebasing again`);
        [prepared, validated] = [step.prepared, false];
        moves += 1;
    }
  }
  throw new LlmcError('LANDING_REFUSED', `${branch} moved ${MOST_TRIES} times while the commit was being landed`, {
    hint: acceptCommand(landing.worker, landing.branch),
  });
}

async function attempt(context: WorkContext, landing: Landing, { config, branch, prepared, validated }: Attempt): Promise<Step> {
  const { git, layout } = context;
  const main = await fetchMain(git, layout.root, branch, config.repo.source);
  const on = landing.branch ?? branch;
  const known = landing.landed ?? unsettledCommit(context, landing.worker);
  if (known !== null && (await isThere(context, config, landing, known, main)))
    return {
      kind: 'done',
      result: { how: 'already-landed', commit: known, branch: on, main: () => keepAndReturn(context, landing, main) },
    };
  const base = await tipOfWork(context, config, context.store.worker(landing.worker), { branch, sha: main }, landing.branch);
  const isCurrent = prepared?.onto === base.sha;
  if (prepared !== undefined && !isCurrent) await requireUnmoved(context, landing.worker, prepared.sha);
  const made = isCurrent ? prepared : await prepareCommit(context, landing, base);
  if (made === undefined) return { kind: 'done', result: { how: 'nothing', commit: null, branch: on, main: async () => main } };
  const next: Prepared = { sha: made.sha, subject: made.subject, onto: base.sha };
  if (!(isCurrent && validated) && !(await isValidated(context, config, landing.worker, next.sha)))
    return { kind: 'validate', prepared: next };
  // The last moment at which the person who has left is not surprised by a commit on main.
  context.signal.throwIfAborted();
  return landing.branch === null
    ? await ontoMain(context, landing, { config, branch, prepared: next })
    : await ontoBranch(context, landing, { config, branch: landing.branch, prepared: next }, main);
}

interface Putting {
  readonly config: Config;
  readonly branch: string;
  readonly prepared: Prepared;
}

async function ontoMain(context: WorkContext, landing: Landing, { config, branch, prepared }: Putting): Promise<Step> {
  const { git, layout, store } = context;
  const { sha, subject, onto: main } = prepared;
  fault('accept:before-land');
  context.say(`Landing on ${branch}`);
  const { reviewed_patch_id: reviewed } = store.worker(landing.worker);
  const landed = await land(git, { source: config.repo.source, root: layout.root, branch, sha, onto: main, reviewed });
  if (landed.kind === 'moved') return { kind: 'moved', prepared };
  requireLanded(context, landing.worker, landed);
  fault('accept:after-land');
  noteLanding(context, landing, branch, sha);
  const again = async () => keepAndReturn(context, landing, await fetchMain(git, layout.root, branch, config.repo.source));
  const noted = () => noteOnMain(context, landing, { branch, prepared: sha, main }).catch(again);
  return landed.kind === 'landed'
    ? { kind: 'done', result: { how: landed.how, commit: sha, subject, branch, main: noted } }
    : { kind: 'done', result: { how: 'already-landed', commit: sha, branch, main: again } };
}

async function ontoBranch(context: WorkContext, landing: Landing, { config, branch, prepared }: Putting, main: string): Promise<Step> {
  const { subject, onto } = prepared;
  const put = await putOnBranch(context, config, landing, { branch, sha: prepared.sha, main: onto });
  switch (put.kind) {
    case 'moved':
      return { kind: 'moved', prepared };
    case 'validate':
      return { kind: 'validate-on-branch', prepared, commit: put.commit };
    case 'nothing':
      return { kind: 'done', result: { how: 'nothing', commit: null, branch, main: async () => main } };
    case 'landed':
      noteLanding(context, landing, branch, put.commit);
      return {
        kind: 'done',
        result: { how: put.how, commit: put.commit, subject, branch, main: () => keepAndReturn(context, landing, main) },
      };
  }
}

function noteLanding({ store }: WorkContext, { id, worker }: Landing, branch: string, commit: string): void {
  store.commit({
    worker,
    kind: 'accept',
    summary: `landed ${commit.slice(0, 12)} on ${branch}`,
    rows: (database) => markLanded(database, id),
  });
}

/** Whether a commit is where it should land. */
async function isThere({ git, layout }: WorkContext, config: Config, landing: Landing, commit: string, main: string): Promise<boolean> {
  const { root } = layout;
  const { source } = config.repo;
  if (landing.branch === null) return await isAncestor(git, root, commit, main);
  const tip = await findTip(git, { source, root, branch: landing.branch });
  return tip !== null && (await hasCommit(git, source, commit, tip));
}

/** The commit that an earlier accept put on its branch without getting to its end. */
function unsettledCommit({ store }: WorkContext, name: string): string | null {
  const { attention } = store.worker(name);
  return attention?.kind === 'unsettled_landing' ? attention.commit : null;
}

/** A commit that the agent makes during the validation must not get into the next attempt. */
async function requireUnmoved({ git, store }: WorkContext, name: string, sha: string): Promise<void> {
  const worker = store.worker(name);
  const now = await readCommitId(git, worker.worktree_path);
  if (now !== sha) throw changed(worker, `${name} made another commit, ${now.slice(0, 12)}, meanwhile`);
}

async function validate(context: WorkContext, config: Config, name: string, commit: string): Promise<void> {
  const failed = await validateWork(context, config, name, commit);
  if (failed !== undefined) throw validationFailed(name, failed);
}

function validationFailed(name: string, { line, reason, output, log }: FailedLine): LlmcError {
  return new LlmcError('VALIDATION_FAILED', `"${line}" failed for ${name}: ${reason}. The whole output: ${log}`, {
    hint: commandLine('llmc', 'reject', '--worker', name, `Make this pass: ${line}`),
    details: output,
    detailsSaid: true,
  });
}
