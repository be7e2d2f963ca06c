import { LlmcError } from '../../base/error.ts';
import type { Config } from '../../config/schema.ts';
import { chooseSettings } from '../../config/worker-settings.ts';
import { findWorker } from '../../store/find-worker.ts';
import type { State, Worker } from '../../store/state.ts';
import type { QueuedTask } from '../../store/tables/queue.ts';
import { reasonText, untilReset } from '../prompt/delivery-reason-text.ts';
import { isOnlyAnswer } from '../status/only-answer.ts';
import { describeStatus } from '../status/status-words.ts';
import { standing } from '../status/transitions.ts';
import { holdingLimit } from './account.ts';
import { isComingUp } from './coming-up.ts';
import { agentFor, ownAgent } from './switch-agent.ts';

/** Whether a start would take this worker. */
type Wants = (worker: string) => boolean;

/** What a task asks of its worker; null: any. */
export type Like = Pick<QueuedTask, 'agent' | 'model'>;
const LIKE_ANY: Like = { agent: null, model: null };

/** Whether a worker has the agent and the model that a task asks for. */
export function isLike(config: Config, worker: Worker, { agent, model }: Like): boolean {
  return (agent === null || ownAgent(config, worker) === agent) && (model === null || chooseSettings(config, worker).model === model);
}

/** Returns the oldest idle worker of the pool that is as the task asks, preferred ones first. */
export function pickIdle(state: State, config: Config, now: number, preferred: Wants = () => true, like = LIKE_ANY): Worker {
  const pool = listPool(state, config).filter((worker) => isLike(config, worker, like));
  const free = freeToWork(pool, state, config, now);
  const idle = free.find(({ name }) => preferred(name)) ?? free[0];
  if (idle !== undefined) return idle;
  const limits = describeLimits(pool, state, config, now);
  if (limits !== undefined)
    throw new LlmcError('RATE_LIMITED', `no idle worker may work: ${limits}`, {
      hint: 'Wait in the queue: llmc start --queue …; or name a fallback for the agent in config.toml.',
    });
  const another = 'Add one for the task: llmc start --add "…"; or let it wait: llmc start --queue "…"';
  if (pool.length === 0) throw new LlmcError('NO_IDLE_WORKER', `there is no worker ${likeText(like)}for the task`, { hint: another });
  const sleeping = pool.find((worker) => worker.status === 'offline' && standing(worker) === 'idle');
  // The supervisor answers this, so it is up. A session that does not run has another reason.
  const hint = sleeping ? `llmc why ${sleeping.name}` : `Accept or reset one: llmc status. ${another}`;
  const standings = pool.map((worker) => `${worker.name} ${describeStatus(worker.status)}`).join(', ');
  throw new LlmcError('NO_IDLE_WORKER', `no worker is idle: ${standings}`, { hint });
}

const likeText = ({ agent, model }: Like): string =>
  [...(agent === null ? [] : [`with the agent ${agent} `]), ...(model === null ? [] : [`with the model ${model} `])].join('');

/** Lists idle workers with an agent that is not at a usage limit. Workers that would need another agent come last. */
function freeToWork(pool: readonly Worker[], state: State, config: Config, now: number): readonly Worker[] {
  const able = pool
    .filter(({ status }) => status === 'idle')
    .map((worker) => ({ worker, agent: agentFor(state, config, worker, now) }))
    .filter(({ agent }) => agent !== undefined);
  const [asTheyAre, changed] = [able.filter(runsIt), able.filter((one) => !runsIt(one))];
  return [...asTheyAre, ...changed].map(({ worker }) => worker);
}

const runsIt = ({ worker, agent }: { worker: Worker; agent: string | undefined }): boolean => worker.agent === agent;

/** Describes the limits for which idle workers wait; undefined if there are none. */
function describeLimits(pool: readonly Worker[], state: State, config: Config, now: number): string | undefined {
  const limits = pool
    .filter(({ status }) => status === 'idle')
    .flatMap((worker) => holdingLimit(state, config, ownAgent(config, worker), now) ?? []);
  const accounts = new Map(limits.map((limit) => [limit.account, limit]));
  const words = [...accounts.values()].map(({ account, until_ms }) => reasonText(untilReset(account, until_ms), now));
  return words.length === 0 ? undefined : words.join(', ');
}

/** Whether a task for this worker, or for any, waits only for a session to open. */
export function isOnTheWay(state: State, config: Config, now: number, name: string | undefined, like = LIKE_ANY): boolean {
  if (name !== undefined) return isComingUp(findWorker(state, name));
  const pool = listPool(state, config).filter((worker) => isLike(config, worker, like));
  return freeToWork(pool, state, config, now).length === 0 && pool.some((worker) => isComingUp(worker) && standing(worker) === 'idle');
}

export function listPool(state: State, config: Config): readonly Worker[] {
  return byAge(state).filter((worker) => !chooseSettings(config, worker).excludedFromPool);
}

/**
 * Lists the workers that wait for a review, those that have waited longest first. Work that nobody has seen comes before work that
 * was shown, if asked for. Work that conflicts with main comes last: it must not keep the others from being reviewed.
 */
export function reviewQueue(state: State, { unseenFirst }: { readonly unseenFirst: boolean }): readonly Worker[] {
  const conflicts = (worker: Worker) => (worker.conflicted_files.length === 0 ? 0 : 1);
  const shown = (worker: Worker) => (unseenFirst ? (worker.shown_revision ?? -1) : 0);
  return Object.values(state.workers)
    .filter((worker) => standing(worker) === 'needs_review')
    .sort(
      (a, b) =>
        conflicts(a) - conflicts(b) ||
        shown(a) - shown(b) ||
        a.last_activity_unix - b.last_activity_unix ||
        a.created_at_unix - b.created_at_unix,
    );
}

/** Returns the worker that `accept` or `reject` without a name means: the last reviewed one if it still waits, else the only one that waits. */
export function reviewedWorker(state: State, verb: string): Worker {
  const last = state.last_reviewed_worker === null ? undefined : state.workers[state.last_reviewed_worker];
  // A person who has just read an answer does not mean other work.
  if (last !== undefined && isOnlyAnswer(last)) return last;
  const all = Object.values(state.workers).filter((worker) => standing(worker) === 'needs_review' && !isOnlyAnswer(worker));
  const clean = all.filter(({ conflicted_files }) => conflicted_files.length === 0);
  // Work that conflicts cannot land: it must not come up again and again before the rest.
  const waiting = verb === 'accept' && clean.length > 0 ? clean : all;
  if (last !== undefined && waiting.includes(last)) return last;
  const [only] = waiting;
  if (only !== undefined && waiting.length === 1) return only;
  if (only === undefined) throw new LlmcError('NOTHING_TO_REVIEW', 'no worker waits for a review', { hint: 'llmc status' });
  throw new LlmcError('INVALID_ARGUMENT', `several workers wait for a review: ${waiting.map(({ name }) => name).join(', ')}`, {
    hint: verb === 'reject' ? `Name one: llmc reject --worker ${only.name} "…"` : `Name one: llmc ${verb} ${only.name}`,
  });
}

export function requireReviewable(worker: Worker): void {
  if (standing(worker) === 'needs_review') return;
  if (standing(worker) === 'rebasing')
    throw new LlmcError('ILLEGAL_TRANSITION', `${worker.name} is resolving its conflict with main${inFiles(worker.conflicted_files)}`, {
      hint: `Wait for it: llmc wait ${worker.name} --for needs_review; or give up: llmc rebase ${worker.name} --abort`,
    });
  throw new LlmcError('ILLEGAL_TRANSITION', `${worker.name} ${describeStatus(standing(worker))} and has no work to review`, {
    hint: standing(worker) === 'idle' ? `llmc why ${worker.name}` : `What it has changed so far: llmc diff ${worker.name}`,
  });
}

const inFiles = (files: readonly string[]): string => (files.length === 0 ? '' : ` in ${files.join(', ')}`);

function byAge(state: State): readonly Worker[] {
  return Object.values(state.workers).sort((a, b) => a.created_at_unix - b.created_at_unix);
}
