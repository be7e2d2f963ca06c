import type { Activity } from '../../agents/activity.ts';
import { judgeExitOutput } from '../../agents/exit-output.ts';
import { describeError, LlmcError } from '../../base/error.ts';
import { findRefusal } from '../../base/refusal.ts';
import type { Config } from '../../config/schema.ts';
import { decideLostResume, type LostResume } from '../../recovery/decide-exit.ts';
import type { Worker } from '../../store/state.ts';
import { ackedDeliveries, cancelDeliveries, nextDelivery } from '../../store/tables/deliveries.ts';
import type { Outcome } from '../../store/tables/tasks.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { exitPolicy } from '../../workers/recovery-policy.ts';
import { judgeOwner, openTask } from '../../workers/tasks/owner.ts';
import { reportTo } from '../../workers/tasks/report-to.ts';
import { rest } from '../../workers/tasks/rest-worker.ts';
import { endAgent } from '../../workers/worktree/end-agent.ts';
import { isConfirmed } from '../launch/handle-exit.ts';
import { lastWords, saveScreen } from '../launch/last-words.ts';
import { takenPrompts } from '../launch/taken.ts';
import { isResuming, type Watch, wasReady } from '../observe/watch.ts';
import { applyProgress } from '../progress/apply-progress.ts';

/**
 * The agent of a run's worker ended, for whatever reason. llmc does not start it again: its run is told, and decides. A turn that was
 * over before is a result and no crash.
 */
export async function handleRunExit(context: WorkContext, watch: Watch, activity: Exited): Promise<boolean> {
  const config = await context.config();
  if (!isConfirmed(context, watch, context.clock.now()) || (await finishEndedTurn(context, watch, config))) return true;
  const worker = context.store.worker(watch.name);
  const words = await lastWords(context, watch);
  const refusals = wasReady(watch) ? undefined : (loadAgent(config, worker.agent).refusals ?? []);
  const output = judgeExitOutput(words.split('\n'), activity.status, refusals);
  const resume = decideLostResume({ activity, output, resuming: isResuming(watch), resumeExits: worker.resume_exits }, exitPolicy(config));
  const why = watch.assessment.rule;
  await letRest(context, worker, {
    why,
    details: words,
    resume,
    outcome: (await isOutside(context, watch, activity))
      ? { kind: 'lost', why }
      : judgeOutcome(activity, output, why, {
          screen: openTask(worker) === undefined ? undefined : saveScreen(context, watch.name, words),
          words,
        }),
  });
  return true;
}

type Exited = Extract<Activity, { kind: 'exited' }>;

/** For the person who decides what follows; the file has the rest. */
const LONGEST_SAID = 500;

/** Whole lines from the end, without the frames that agents draw. */
function cutToLastLines(words: string): string {
  const said = words
    .split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .join('\n');
  return said.length <= LONGEST_SAID ? said : said.slice(-LONGEST_SAID).replace(/^.*\n/, '');
}

function judgeOutcome(
  { how, status }: Exited,
  output: ReturnType<typeof judgeExitOutput>,
  why: string,
  { screen, words }: { readonly screen: string | undefined; readonly words: string },
): Outcome {
  if (output === 'rate_limit') return { kind: 'failed', code: 'RATE_LIMITED', error: 'rate_limit', message: why };
  // Its service did not answer: the run waits for it as for any failure of the network.
  if (output === 'timeout') return { kind: 'failed', code: 'NETWORK_ERROR', error: 'network', message: why };
  const cannotStart = output === 'missing_program' || output === 'fatal';
  return {
    kind: 'crashed',
    how: cannotStart ? 'cannot_start' : how === 'not_found' ? 'not_found' : 'crashed',
    why,
    status,
    screen: screen ?? null,
    said: cutToLastLines(words),
  };
}

/** The agent had reported the end of its turn, and nothing else was on its way: what it left counts. */
async function finishEndedTurn(context: WorkContext, watch: Watch, config: Config): Promise<boolean> {
  const { database } = context.store;
  if (openTask(context.store.worker(watch.name)) === undefined || nextDelivery(database, watch.name) !== undefined) return false;
  const acked = ackedDeliveries(database, watch.name);
  if (acked.length === 0 || takenPrompts(context, watch, acked, config).length > 0) return false;
  return await applyProgress(context, watch, { ...watch.assessment, activity: { kind: 'ready' } }, config);
}

/** Not the agent's doing: the tmux server is gone, or most of the fleet ended at once. */
async function isOutside({ terminal }: WorkContext, { diedWithOthers }: Watch, { how }: Exited): Promise<boolean> {
  return diedWithOthers || (how === 'not_found' && (await terminal.isGone()));
}

/** A supervisor comes up and finds no session, or only a dead one: after a reboot, after `llmc down`, or because another program ended it. True if the run was told. */
export async function lostForRun(context: WorkContext, watch: Watch): Promise<boolean> {
  const worker = context.store.worker(watch.name);
  const config = await context.config();
  const acked = ackedDeliveries(context.store.database, watch.name);
  if (openTask(worker) === undefined || takenPrompts(context, watch, acked, config).length === 0) return false;
  const why = 'its session was gone when llmc came up';
  await letRest(context, worker, { why, outcome: { kind: 'lost', why } });
  return true;
}

/** The agent could not be started: its run decides about another start. False: the worker has no run, or nothing can be written. */
export async function refusedForRun(context: WorkContext, name: string, error: unknown): Promise<boolean> {
  const { store, locks, signal } = context;
  if (signal.aborted || findRefusal(error) !== undefined) return false;
  return await locks.withLock(name, async () => {
    const worker = Object.hasOwn(store.state.workers, name) ? store.worker(name) : undefined;
    if (worker === undefined || judgeOwner(worker) === 'person') return false;
    await cannotStart(context, worker, error);
    return true;
  });
}

async function cannotStart(context: WorkContext, worker: Worker, error: unknown): Promise<void> {
  const code = error instanceof LlmcError ? error.code : 'AGENT_SPAWN_FAILED';
  const message = describeError(error);
  await letRest(context, worker, { why: `could not be started: ${message}`, outcome: { kind: 'failed', code, error: null, message } });
}

interface Ended {
  readonly why: string;
  readonly details?: string;
  readonly outcome: Outcome;
  /** What became of the conversation that it was to resume. */
  readonly resume?: LostResume;
}

/** The record comes first: what is left of the session belongs to a resting worker then. */
async function letRest(context: WorkContext, worker: Worker, { why, details, outcome, resume }: Ended): Promise<void> {
  const { store, clock } = context;
  const now = clock.now();
  store.changeWorker(worker.name, {
    kind: 'exit',
    summary: `${why}${resume === undefined || resume.kind === 'open' ? '' : `: ${resume.why}`}; its run decides what follows`,
    ...(details !== undefined && { details }),
    change: (draft) => {
      rest(draft, now);
      if (resume?.kind === 'again') draft.resume_exits = [...draft.resume_exits, resume.exit];
      if (resume?.kind === 'lost') Object.assign(draft, { conversation_id: null, conversation_used: false, resume_exits: [] });
    },
    rows: (database) => {
      cancelDeliveries(database, worker.name, { kind: 'cut_short' }, now);
      if (openTask(worker) !== undefined) reportTo(database, worker, outcome, now);
    },
  });
  await endAgent(context, worker);
}
