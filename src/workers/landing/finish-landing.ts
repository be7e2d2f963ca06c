import { LlmcError, messageOf } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Config } from '../../config/schema.ts';
import { commitsBetween } from '../../git/commits.ts';
import { headOf, isAncestor } from '../../git/inspect.ts';
import { land } from '../../git/landing/land.ts';
import { type KeptWork, keepWork, noteLanded } from '../../git/landing/note-landed.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import type { Attention } from '../../store/attention.ts';
import { findLanding, type Landing, markLanded, nthLanded, settleLanding } from '../../store/landings.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { unsettledText } from '../status/attention-text.ts';
import { runLines } from '../worktree/shell-lines.ts';
import { ConflictError } from './conflict-error.ts';
import { mainBranch } from './main-branch.ts';
import { prepareCommit } from './prepare-landing.ts';
import { settleAccepted } from './settle-accepted.ts';

export interface AcceptResult {
  readonly worker: string;
  readonly branch: string;
  readonly commit: string;
  readonly subject: string;
  /** The worker's status now: idle, or offline without a supervisor. */
  readonly status: Worker['status'];
  /** How it got onto main. */
  readonly how: 'merge' | 'push' | 'already-landed';
}

/** After this many moves of main, give up and report it. */
const MOST_TRIES = 5;

/** The result of an accept for the user, and what main is now. */
export interface FinishedLanding {
  readonly accepted: AcceptResult;
  readonly main: string;
}

/** Rebases, squashes, validates, lands and resets. Every step recognises that it has already happened. */
export async function finishLanding(context: WorkContext, landing: Landing): Promise<FinishedLanding> {
  const onMain = await landOnMain(context, landing).catch((error: unknown) => giveUp(context, landing, error));
  const { how, commit, branch } = onMain;
  const main = await settleAccepted(context, landing, onMain).catch((error: unknown) =>
    leaveUnsettled(context, landing, branch, commit, error),
  );
  // The landing is done: ignore a subject that cannot be read.
  const [landed] = await commitsBetween(context.git, context.layout.root, `${commit}~1`, commit).catch(() => []);
  const subject = landed?.message.split('\n')[0] ?? '';
  const { status } = context.store.worker(landing.worker);
  return { accepted: { worker: landing.worker, branch, commit, subject, status, how }, main };
}

async function giveUp(context: WorkContext, landing: Landing, error: unknown): Promise<never> {
  const problem = messageOf(error);
  const attention: Attention =
    error instanceof ConflictError
      ? { kind: 'conflict', branch: error.main.branch, files: [...error.files] }
      : { kind: 'not_landed', problem };
  await close(context, landing, `not landed: ${problem}`, attention);
  throw error;
}

/** The commit is on main, so this must not say "not landed". Another accept recognises that and does the rest. */
async function leaveUnsettled(context: WorkContext, landing: Landing, branch: string, commit: string, error: unknown): Promise<never> {
  const attention = { kind: 'unsettled_landing', commit, branch, problem: messageOf(error) } as const;
  const problem = unsettledText(landing.worker, attention);
  const hint = `llmc accept ${landing.worker}`;
  await close(context, landing, problem, attention);
  throw new LlmcError(error instanceof LlmcError ? error.code : 'INTERNAL', problem, { hint, cause: error });
}

async function close(context: WorkContext, landing: Landing, outcome: string, attention: Attention): Promise<void> {
  const { store, clock } = context;
  // The branch may have been rebased and squashed.
  const head = await headOf(context.git, store.worker(landing.worker).worktree_path).catch(() => landing.head);
  store.changeWorker(landing.worker, {
    kind: 'accept',
    summary: outcome,
    change: (worker) => Object.assign(worker, { attention, commit_sha: head }),
    rows: (database) => settleLanding(database, landing.id, outcome, clock.now()),
  });
}

interface OnMain extends Pick<AcceptResult, 'how' | 'commit' | 'branch'> {
  /** Returns what main is now. Called after the landing counts as done: a failure here must not look like a failed landing. */
  readonly main: () => Promise<string>;
}

async function landOnMain(context: WorkContext, landing: Landing): Promise<OnMain> {
  const { git, layout, store } = context;
  const config = await context.config();
  const branch = await mainBranch(context, config);
  const fetch = () => fetchMain(git, layout.root, branch, config.repo.source);
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const main = await fetch();
    if (landing.landed !== null && (await isAncestor(git, layout.root, landing.landed, main)))
      return { how: 'already-landed', commit: landing.landed, branch, main: () => keepAndReturn(context, landing, main) };
    const prepared = await prepareCommit(context, landing, { branch, sha: main });
    if (prepared === undefined) return { how: 'already-landed', commit: main, branch, main: async () => main };
    await validate(context, config, landing.worker);
    fault('accept:before-land');
    context.say(`Landing on ${branch}`);
    const { reviewed_patch_id: reviewed } = store.worker(landing.worker);
    const landed = await land(git, { source: config.repo.source, root: layout.root, branch, sha: prepared, onto: main, reviewed });
    switch (landed.kind) {
      case 'landed':
      case 'already-landed':
        fault('accept:after-land');
        store.commit({
          worker: landing.worker,
          kind: 'accept',
          summary: `landed ${prepared.slice(0, 12)} on ${branch}`,
          rows: (database) => markLanded(database, landing.id),
        });
        return landed.kind === 'landed'
          ? { how: landed.how, commit: prepared, branch, main: () => noteOnMain(context, landing, { branch, prepared, main }).catch(fetch) }
          : { how: 'already-landed', commit: prepared, branch, main: async () => keepAndReturn(context, landing, await fetch()) };
      case 'moved':
        context.say(`${branch} moved meanwhile; rebasing again`);
        continue;
      case 'changed':
        throw new LlmcError('PATCH_CHANGED', `the objects of ${landing.worker} in ${layout.root} are not those that would land`, {
          hint: `Review it again: llmc review ${landing.worker}; if that does not help: llmc reset ${landing.worker}`,
        });
      case 'refused':
        throw new LlmcError('LANDING_REFUSED', landed.reason, {
          hint: `${landed.todo ?? 'Fix that'}, then: llmc accept ${landing.worker}`,
          details: landed.files?.join('\n'),
        });
    }
  }
  throw new LlmcError('LANDING_REFUSED', `${branch} moved ${MOST_TRIES} times while the commit was being landed`, {
    hint: `llmc accept ${landing.worker}`,
  });
}

/** How many accepts keep all their commits for an undo. */
const KEPT_LANDINGS = 20;

/** Notes what landed, and keeps the commits from before the squash for an undo. */
async function noteOnMain(
  { git, layout, store }: WorkContext,
  landing: Landing,
  { branch, prepared, main }: { readonly branch: string; readonly prepared: string; readonly main: string },
): Promise<string> {
  return await noteLanded(git, layout.root, branch, prepared, main, keptWork(store, landing, prepared));
}

/** After a crash, main may have what was to land already. */
async function keepAndReturn({ git, layout, store }: WorkContext, landing: Landing, main: string): Promise<string> {
  await keepWork(git, layout.root, keptWork(store, landing, main));
  return main;
}

function keptWork({ database }: WorkContext['store'], { id }: Landing, otherwise: string): KeptWork {
  return { landing: id, work: findLanding(database, id)?.work ?? otherwise, tooOld: nthLanded(database, KEPT_LANDINGS - 1)?.id };
}

async function validate(context: WorkContext, config: Config, name: string): Promise<void> {
  const failed = await runLines(context, config, context.store.worker(name).worktree_path, config.repo.validate, 'Validate');
  if (failed === undefined) return;
  throw new LlmcError('VALIDATION_FAILED', `"${failed.line}" failed for ${name}: ${failed.reason}`, {
    hint: commandLine('llmc', 'reject', '--worker', name, `Make this pass: ${failed.line}`),
    details: failed.output,
    detailsSaid: true,
  });
}
