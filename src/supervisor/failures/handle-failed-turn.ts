import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { decideFailedTurn, type FailedTurn, type FailedTurnView } from '../../recovery/decide-failed-turn.ts';
import { isLimit } from '../../recovery/usage-limit.ts';
import type { Database } from '../../store/database.ts';
import type { Worker } from '../../store/state.ts';
import { isAnswered, nextDelivery, waitingDeliveries } from '../../store/tables/deliveries.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { failedTurnPolicy } from '../../workers/recovery-policy.ts';
import { isAtWork } from '../../workers/status/transitions.ts';
import { waitingText } from '../../workers/status/waiting-text.ts';
import { judgeOwner } from '../../workers/tasks/owner.ts';
import { queueContinueAfterFailure } from '../launch/resume.ts';
import { standsAtPrompt } from '../observe/stands-at-prompt.ts';
import type { Watch } from '../observe/watch.ts';

/** `waits`: the turn is over and the task is not, so the worker keeps its status. */
export type FailedTurnOutcome = 'none' | 'acted' | 'waits';

/** Tells an agent to continue after a turn that failed with a temporary error, at the time that the policy gives. */
export async function handleFailedTurn(context: WorkContext, watch: Watch, config: Config): Promise<FailedTurnOutcome> {
  const { store, clock } = context;
  const worker = store.worker(watch.name);
  const failure = findFailure(watch);
  if (failure === undefined && worker.failed_turn === null) return 'none';
  const now = clock.now();
  const compacts = loadAgent(config, worker.agent).compaction !== undefined;
  // A run has tries of its own, and may have another agent: budgets never nest.
  const policy = judgeOwner(worker) === 'run' ? { ...failedTurnPolicy(config), backoffMs: [] } : failedTurnPolicy(config);
  const step = decideFailedTurn({ ...collectView(context, watch, worker, failure), compacts }, policy, now);
  switch (step.kind) {
    case 'nothing':
    case 'call':
      return 'none';
    case 'wait':
      return 'waits';
    case 'plan':
      note(context, watch.name, step.failed, `${waitingText({ kind: 'failed_turn', failed: step.failed }, now)}: ${step.failed.message}`);
      return 'acted';
    case 'settle':
      note(context, watch.name, worker.failed_turn && { ...worker.failed_turn, until_ms: null }, `after a failed turn: ${step.why}`);
      return 'none';
    case 'forget':
      note(context, watch.name, null, `a failed turn is settled: ${step.why}`);
      return 'none';
    case 'go_on':
      await queueContinueAfterFailure(context, watch.name, step.how, step.failed);
      return 'acted';
  }
}

/** A usage limit has its own decision. */
function findFailure({ assessment: { activity }, reported: { latest } }: Watch): FailedTurnView['failure'] {
  if (activity.kind !== 'error' || isLimit(activity)) return undefined;
  const event = latest?.activity.kind === 'error' ? latest.seq : null;
  return { error: activity.type, message: activity.message, recoverable: activity.recoverable, event };
}

function collectView(
  { store, random, clock }: WorkContext,
  watch: Watch,
  worker: Worker,
  failure: FailedTurnView['failure'],
): Omit<FailedTurnView, 'compacts'> {
  const { assessment, reported, screen } = watch;
  const known = worker.failed_turn;
  const waiting = known !== null && known.until_ms !== null;
  // A screen that shows another failure at once never showed the agent at work, but its text has changed.
  const shownAt = Math.max(assessment.since, screen.changedAt);
  const stop = waiting ? { event: known.event, at: known.since_ms } : { event: failure?.event ?? null, at: shownAt };
  const { kind } = assessment.activity;
  return {
    hasTask: (isAtWork(worker.status) && worker.current_prompt !== null) || worker.status === 'rebasing',
    failure,
    known,
    answered: isAnswered(store.database, watch.name, stop) || (!waiting && wasSentAfter(store.database, watch.name, assessment.since)),
    busy: kind === 'processing' || kind === 'awaiting_question' || kind === 'awaiting_permission',
    progressed: known !== null && known.event !== null && reported.lastTool > known.event,
    stands: standsAtPrompt(watch, nextDelivery(store.database, watch.name)),
    shownMs: clock.now() - assessment.since,
    chance: random.next(),
  };
}

/** A person who was called, or saw the failure first, has sent the prompt that continues the task. */
function wasSentAfter(database: Database, worker: string, failedAt: Instant): boolean {
  return waitingDeliveries(database, worker).some(({ created_ms }) => created_ms > failedAt);
}

function note({ store }: WorkContext, name: string, failed: FailedTurn | null, summary: string): void {
  store.changeWorker(name, { kind: 'failed_turn', summary, change: (worker) => Object.assign(worker, { failed_turn: failed }) });
}
