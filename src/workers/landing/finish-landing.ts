import { describeError, LlmcError } from '../../base/error.ts';
import { readSubject } from '../../git/commits.ts';
import { readCommitId } from '../../git/inspect.ts';
import type { Attention } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { type Landing, settleLanding } from '../../store/tables/landings.ts';
import { acceptCommand } from '../branch/accept-command.ts';
import type { WorkContext } from '../context.ts';
import { unsettledText } from '../status/attention-text.ts';
import type { AfterAcceptFailure } from './after-accept.ts';
import { ConflictError } from './conflict-error.ts';
import { type LandingResult, landOnMain } from './land-on-main.ts';
import { RefusedBySource } from './require-landed.ts';
import { settleAccepted } from './settle-accepted.ts';

export interface AcceptResult {
  readonly worker: string;
  /** Where it landed: the main branch, or another one of the source. */
  readonly landing: 'main' | 'branch';
  readonly branch: string;
  /** Null if there was nothing to land: the branch had the change already, from elsewhere. */
  readonly commit: string | null;
  readonly subject: string;
  /** The worker's status now: idle, or offline without a supervisor. */
  readonly status: Worker['status'];
  /** The run that the worker belongs to: it goes on. */
  readonly run: string | null;
  readonly how: LandingResult['how'];
  /** What `[repo] format` changed in the work. */
  readonly formatted: Worker['formatted'];
  /** The command of `[repo] after_accept` that failed; the landing stands. */
  readonly after_accept: AfterAcceptFailure | null;
}

/** The result of an accept for the user, and what main is now. */
export interface FinishedLanding {
  /** The id of the landing. */
  readonly id: string;
  readonly accepted: AcceptResult;
  readonly main: string;
}

/** Rebases, squashes, validates, lands and resets. Every step recognises that it has already happened. */
export async function finishLanding(context: WorkContext, landing: Landing): Promise<FinishedLanding> {
  const onMain = await landOnMain(context, landing).catch((error: unknown) => giveUp(context, landing, error));
  const { how, commit, branch } = onMain;
  const { formatted, run } = context.store.worker(landing.worker);
  const main = await settleAccepted(context, landing, onMain).catch((error: unknown) =>
    commit === null ? giveUp(context, landing, error) : leaveUnsettled(context, landing, branch, commit, error),
  );
  const subject = commit === null ? '' : (onMain.subject ?? (await readSubject(context.git, context.layout.root, commit)));
  const { status } = context.store.worker(landing.worker);
  return {
    id: landing.id,
    accepted: {
      worker: landing.worker,
      landing: landing.branch === null ? 'main' : 'branch',
      branch,
      commit,
      subject,
      status,
      run: run?.id ?? null,
      how,
      formatted,
      after_accept: null,
    },
    main,
  };
}

function whyNotLanded(error: unknown, problem: string, branch: string | null): Attention {
  if (error instanceof ConflictError) return { kind: 'conflict', branch: error.main.branch, files: [...error.files] };
  const { todo, blocked } = error instanceof RefusedBySource ? error : {};
  return {
    kind: 'not_landed',
    problem,
    ...(todo !== undefined && { todo }),
    ...(blocked !== undefined && { blocked: { where: blocked.where, files: [...blocked.files] } }),
    ...(branch !== null && { branch }),
  };
}

async function giveUp(context: WorkContext, landing: Landing, error: unknown): Promise<never> {
  if (context.signal.aborted) return await cancel(context, landing, error);
  const problem = describeError(error);
  await close(context, landing, `not landed: ${problem}`, whyNotLanded(error, problem, landing.branch));
  throw error;
}

/** The person left, or llmc stops. The work is as good as before, and nobody has to act because of it. */
async function cancel(context: WorkContext, landing: Landing, cause: unknown): Promise<never> {
  const { worker, branch } = landing;
  await close(context, landing, 'cancelled before it landed', context.store.worker(worker).attention);
  throw new LlmcError('CANCELLED', `nothing landed; the work of ${worker} still waits for review`, {
    hint: acceptCommand(worker, branch),
    cause,
  });
}

/** The commit is on main, so this must not say "not landed". Another accept recognises that and does the rest. */
async function leaveUnsettled(context: WorkContext, landing: Landing, branch: string, commit: string, error: unknown): Promise<never> {
  const attention = { kind: 'unsettled_landing', commit, branch, problem: describeError(error) } as const;
  const problem = unsettledText(landing.worker, attention);
  const hint = `llmc accept ${landing.worker}`;
  await close(context, landing, problem, attention);
  throw new LlmcError(error instanceof LlmcError ? error.code : 'INTERNAL', problem, { hint, cause: error });
}

async function close(context: WorkContext, landing: Landing, outcome: string, attention: Attention | null): Promise<void> {
  const { store, clock } = context;
  // The branch may have been rebased and squashed.
  const head = await readCommitId(context.git, store.worker(landing.worker).worktree_path).catch(() => landing.head);
  store.changeWorker(landing.worker, {
    kind: 'accept',
    summary: outcome,
    change: (worker) => Object.assign(worker, { attention, commit_sha: head }),
    rows: (database) => settleLanding(database, landing.id, outcome, clock.now()),
  });
}
