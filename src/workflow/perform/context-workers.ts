import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { findDelivery, recentDeliveries } from '../../store/tables/deliveries.ts';
import { findLandingId } from '../../store/tables/landings.ts';
import { findTask, listTaskReports, markTold, untoldReports } from '../../store/tables/tasks.ts';
import { isTakenBack } from '../../store/tables/undos.ts';
import { acceptWork } from '../../workers/accept-work.ts';
import type { WorkContext } from '../../workers/context.ts';
import { missingAgent } from '../../workers/pool/missing-agent.ts';
import { prepareDelivery } from '../../workers/prompt/enqueue.ts';
import { standing } from '../../workers/status/transitions.ts';
import { followUp } from '../../workers/tasks/follow-up.ts';
import { giveTask } from '../../workers/tasks/give-task.ts';
import { nudgeAgent } from '../../workers/tasks/nudge-agent.ts';
import { offerForReview } from '../../workers/tasks/offer-for-review.ts';
import { openTask } from '../../workers/tasks/owner.ts';
import { haltWorker, restWorker } from '../../workers/tasks/rest-worker.ts';
import { dismissWorker, makeRunWorker } from '../../workers/tasks/run-worker.ts';
import { withdrawOffer } from '../../workers/tasks/withdraw-offer.ts';
import { undoWork } from '../../workers/undo/undo-work.ts';
import { requireNoWallNeeded } from '../../workers/worktree/sandbox.ts';
import { landedBefore } from '../store/landed-before.ts';
import { endLeftLines } from './end-lines.ts';
import { ignoreTaskFolder } from './ignore-task-folder.ts';
import { outcomeEvent } from './outcome-event.ts';
import { runCheck } from './run-check.ts';
import type { GivenTask, LandingOffer, LivingWorker, Offered, RunWorkers, RunWorkerView, WorkerMessage } from './run-workers.ts';

/** The workers of a root, as runs use them. */
export function contextWorkers(context: WorkContext): RunWorkers {
  const { store, clock } = context;
  const isThere = (name: string) => Object.hasOwn(store.state.workers, name);
  return {
    async make({ prompt, ...worker }) {
      await requireInstalled(context, worker.agent);
      ignoreTaskFolder(context);
      await makeRunWorker(context, { ...worker, rolePrompt: prompt === '' ? null : prompt });
    },
    view: (name) => (isThere(name) ? collectView(context, name) : undefined),
    give: (task) => give(context, task),
    followUp: async (message) => void (await followUp(context, message)),
    deliver: (message) => deliver(context, message),
    nudge: (message) => nudgeAgent(context, message),
    progressAt: (name) => context.agents.progressAt(name) ?? null,
    rest: async (name) => {
      if (isThere(name)) await restWorker(context, name);
    },
    halt: async (name) => {
      if (isThere(name)) await haltWorker(context, name);
    },
    dismiss: (name) => dismiss(context, name),
    offer: (landing) => offer(context, landing),
    undo: (landed) => undo(context, landed),
    check: (check) => runCheck(context, check),
    endLeftChecks: () => endLeftLines(context),
    living: () => Object.values(store.state.workers).flatMap((worker) => living(worker)),
    outcomes: () =>
      untoldReports(store.database).map((report) => ({ seq: report.seq, run: report.run, at: report.at_ms, what: outcomeEvent(report) })),
    relayed: (outcomes) => markTold(store.database, outcomes, clock.now()),
  };
}

/** Another start would not help, so the run gets no chance to try one. */
async function requireInstalled(context: WorkContext, name: string | undefined): Promise<void> {
  const config = await context.config();
  const agent = name ?? config.defaults.agent;
  const missing = missingAgent(config, agent);
  if (missing === undefined) return;
  throw new LlmcError('AGENT_NOT_FOUND', `${agent} cannot be started: ${missing}`, {
    hint: `Install it, or set command under [agents.${agent}] in ${context.layout.config}`,
  });
}

function collectView({ store }: WorkContext, name: string): RunWorkerView {
  const { worktree_path: worktree, run, base_commit } = store.worker(name);
  const task = run?.task?.id ?? null;
  if (task === null) return { worktree, task, continues: false, base: base_commit, answer: null, missed: [] };
  const known = findTask(store.database, task);
  const ended = listTaskReports(store.database, task).findLast(
    ({ outcome }) => outcome.kind === 'finished' || outcome.kind === 'stopped',
  )?.outcome;
  const answer = ended !== undefined && 'message' in ended ? ended.message : null;
  return {
    worktree,
    task,
    continues: known !== undefined,
    base: known?.base ?? base_commit,
    answer,
    missed: missedSince(store, name, task, run?.id ?? ''),
  };
}

/** A crash cancels what waits for the agent, and so does its next task. */
function missedSince({ database }: WorkContext['store'], name: string, task: string, run: string): RunWorkerView['missed'] {
  const since = findTask(database, task)?.created_ms ?? 0;
  return (
    recentDeliveries(database, name, MOST_MISSED)
      .filter(({ purpose, sent_text, created_ms }) => purpose === 'message' && sent_text === null && created_ms >= since)
      // Not those of a person, which have other ids, and not a follow-up: it is a task, and is given again as such.
      .filter(({ id }) => id.startsWith(`${run}.`) && findTask(database, id) === undefined)
      .toReversed()
  );
}

const MOST_MISSED = 50;

async function give(context: WorkContext, { expects, files, model, agent, ...task }: GivenTask): Promise<void> {
  const { defaults } = await context.config();
  await giveTask(context, {
    ...task,
    agent: agent ?? defaults.agent,
    model: model ?? null,
    expects: expects === 'artifact' ? { kind: 'files', files: [...files] } : { kind: expects },
  });
}

async function deliver(context: WorkContext, { id, worker, text }: WorkerMessage): Promise<boolean> {
  const { store, locks } = context;
  return await locks.withLock(worker, () => {
    if (findDelivery(store.database, id) !== undefined) return Promise.resolve(true);
    if (!Object.hasOwn(store.state.workers, worker) || openTask(store.worker(worker)) === undefined) return Promise.resolve(false);
    const { write } = prepareDelivery(context, { id, worker, purpose: 'message', text, freshConversation: false });
    store.commit({ worker, kind: 'delivery', summary: `${id}: message of its run queued`, rows: write });
    return Promise.resolve(true);
  });
}

async function dismiss(context: WorkContext, name: string): Promise<boolean> {
  const { gone, rescued } = await dismissWorker(context, name);
  if (rescued !== null) context.say(`What ${name} left is saved: llmc rescue show ${rescued}`);
  return gone;
}

async function offer(context: WorkContext, { id, run, worker: name, commit, task, by, marks }: LandingOffer): Promise<Offered> {
  const landed = landedBefore(context.store.database, run, commit);
  if (landed !== undefined) return { kind: 'landed', commit: landed };
  await offerForReview(context, { id, worker: name, commit, task, marks });
  if (by === 'person') return { kind: 'offered' };
  const worker = context.store.worker(name);
  // After a crash it may have landed already.
  if (standing(worker) !== 'needs_review' || worker.run?.task?.id !== id) return { kind: 'offered' };
  if (context.git.walls.around(worker.worktree_path) === undefined)
    requireNoWallNeeded(await context.config(), name, 'cannot land its work by itself (by: run)');
  await acceptWork(context, { worker: name, patrol: true, leaveConflicts: true });
  return { kind: 'offered' };
}

function living(worker: Parameters<typeof openTask>[0] & { readonly name: string }): readonly LivingWorker[] {
  if (worker.run === null || worker.run.resting) return [];
  return [{ name: worker.name, busy: !['idle', 'needs_review', 'error'].includes(standing(worker)) }];
}

async function undo(context: WorkContext, { worker, commit, offer }: Parameters<RunWorkers['undo']>[0]): Promise<string | null> {
  const landed = offer === null ? commit : await withdrawOffer(context, { worker, offer });
  return landed === null ? null : await undoLanded(context, worker, landed);
}

/** A landing that a person has taken back already needs nothing. */
async function undoLanded(context: WorkContext, worker: string, commit: string): Promise<string | null> {
  const { database } = context.store;
  if (isTakenBack(database, commit)) return null;
  const landing = findLandingId(database, worker, commit);
  if (landing === undefined)
    throw new LlmcError('UNDO_REFUSED', `llmc has no record of how ${commit.slice(0, 12)} landed`, {
      hint: commandLine('git', 'revert', commit),
    });
  try {
    return (await undoWork(context, { landing, revert: true, patrol: true })).revert;
  } catch (error) {
    if (error instanceof LlmcError && error.code === 'NOTHING_TO_UNDO') return null;
    throw error;
  }
}
