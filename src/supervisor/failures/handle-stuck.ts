import type { Config } from '../../config/schema.ts';
import { decideStuck, type Ladder, resumeLadder, type StuckView } from '../../recovery/decide-stuck.ts';
import { hasSlept } from '../../recovery/has-slept.ts';
import type { StuckPolicy } from '../../recovery/policies/stuck-policy.ts';
import type { Database } from '../../store/database.ts';
import { nextDelivery, putBeforeMessages, typedDeliveries, withdrawNudges } from '../../store/tables/deliveries.ts';
import { forgetLadder, keepLadder, keptLadder } from '../../store/tables/ladders.ts';
import type { WorkContext } from '../../workers/context.ts';
import { mainBranch } from '../../workers/landing/main-branch.ts';
import { prepareDelivery } from '../../workers/prompt/enqueue.ts';
import { nudgePrompt, secondNudgePrompt } from '../../workers/prompt/prompts.ts';
import { stuckPolicy } from '../../workers/recovery-policy.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { isAtWork } from '../../workers/status/transitions.ts';
import { judgeOwner } from '../../workers/tasks/owner.ts';
import { lastProgressAt, type Watch } from '../observe/watch.ts';
import { applyProgress, branchFacts } from '../progress/apply-progress.ts';

const MINUTE_MS = 60_000;

/** Asks an agent without progress for its status, twice, then calls a person. Returns true when something was done. */
export async function handleStuck(context: WorkContext, watch: Watch, config: Config): Promise<boolean> {
  const policy = stuckPolicy(config, watch.name);
  // A run has timeouts of its own, and asks by itself.
  if (policy === undefined || judgeOwner(context.store.worker(watch.name)) === 'run') return false;
  const now = context.clock.now();
  // The machine was suspended in the middle of this step: the agent was too, and the next pass observes it first.
  if (hasSlept(watch.tmux.at, now)) return false;
  const progressAt = Math.max(lastProgressAt(watch), watch.tmux.personTypedAt ?? 0);
  // Most passes end here.
  if (watch.stuck === undefined && now - progressAt < policy.nudgeMs) return false;
  const view = collectView(context, watch, progressAt);
  let step = decideStuck(view, policy, now);
  if (step.kind === 'ask_git') step = decideStuck({ ...view, committed: await hasCommitted(context, watch, config) }, policy, now);
  switch (step.kind) {
    case 'nothing':
    case 'ask_git':
      return false;
    case 'forget':
      watch.stuck = undefined;
      context.store.commit({
        worker: watch.name,
        kind: 'stuck',
        summary: `no longer without progress: ${step.why}`,
        rows: (database) => forgetLadder(database, watch.name),
      });
      return false;
    case 'climb':
      watch.stuck = step.ladder;
      context.store.commit({
        worker: watch.name,
        kind: 'stuck',
        summary: `checked for an answer: ${step.why}`,
        rows: (database) => keep(database, watch, step.ladder),
      });
      return true;
    case 'nudge':
      watch.stuck = step.ladder;
      await nudge(context, watch, step.ladder, policy, step.why);
      return true;
    case 'review':
      return await review(context, watch, config);
    case 'call':
      watch.stuck = undefined;
      call(context, watch.name, step.quietMs, step.why);
      return true;
  }
}

function keep(database: Database, { name, life: { incarnation } }: Watch, { since, rungs, askedAt }: Ladder): void {
  keepLadder(database, name, { incarnation, since_ms: since, rungs, asked_ms: askedAt });
}

/** After a restart of the supervisor, for an agent that still runs: goes on at the rung that the last supervisor had reached. */
export function recallStuck({ store, clock }: Pick<WorkContext, 'store' | 'clock'>, watch: Watch, config: Config): void {
  const policy = stuckPolicy(config, watch.name);
  const kept = keptLadder(store.database, watch.name);
  if (policy === undefined || kept === undefined || kept.incarnation !== watch.life.incarnation) return;
  const ladder: Ladder = { since: kept.since_ms, rungs: kept.rungs, askedAt: kept.asked_ms };
  const { takenAt } = askedIn(store, watch.name, ladder);
  watch.stuck = resumeLadder(ladder, watch.reported.at ?? 0, takenAt, policy, clock.now());
}

/** When the agent took the last question. */
function askedIn(store: WorkContext['store'], name: string, ladder: Ladder | undefined): Pick<StuckView, 'takenAt'> {
  const asked =
    ladder &&
    typedDeliveries(store.database, name, 10).find(({ purpose, created_ms }) => purpose === 'nudge' && created_ms >= ladder.askedAt);
  return { takenAt: asked?.acked_ms ?? undefined };
}

function collectView({ store }: WorkContext, watch: Watch, progressAt: number): StuckView {
  const { status, current_prompt } = store.worker(watch.name);
  const { activity } = watch.assessment;
  const { stuck: ladder } = watch;
  return {
    atWork: isAtWork(status) && current_prompt !== null,
    busy: activity.kind === 'processing' && activity.detail !== 'retrying' && activity.detail !== 'compacting',
    progressAt,
    ladder,
    ...askedIn(store, watch.name, ladder),
    committed: undefined,
  };
}

async function hasCommitted(context: WorkContext, watch: Watch, config: Config): Promise<boolean> {
  const worker = context.store.worker(watch.name);
  const { ahead, head } = await branchFacts(context, worker, await mainBranch(context, config));
  return ahead > 0 && head !== worker.commit_sha;
}

/** The row comes first: the interrupt ends the turn, and a worker without a prompt on its way would count as finished. */
async function nudge(context: WorkContext, watch: Watch, ladder: Ladder, policy: StuckPolicy, why: string): Promise<void> {
  const { store } = context;
  const { expects } = store.worker(watch.name);
  const second = ladder.rungs > 1;
  const text = second
    ? secondNudgePrompt(minutes(policy.callMs - policy.secondNudgeMs), expects)
    : nudgePrompt(minutes(policy.nudgeMs), expects);
  const waits = nextDelivery(store.database, watch.name)?.purpose === 'nudge';
  const delivery = prepareDelivery(context, { worker: watch.name, purpose: 'nudge', text, freshConversation: false });
  store.commit({
    worker: watch.name,
    kind: 'stuck',
    summary: `${second ? 'second' : 'first'} status check: ${why}${waits ? '; the first one still waits' : ''}`,
    rows: (database) => {
      keep(database, watch, ladder);
      if (waits) return;
      delivery.write(database);
      putBeforeMessages(database, watch.name, delivery.id);
    },
  });
  await context.agents.interrupt(watch.name);
}

const minutes = (ms: number): number => Math.max(1, Math.round(ms / MINUTE_MS));

/** The turn does not end, and its commit must not wait for that, nor for a question that nobody needs any more. */
async function review(context: WorkContext, watch: Watch, config: Config): Promise<boolean> {
  const ready = { ...watch.assessment, activity: { kind: 'ready' } as const };
  const rows = (database: Database) => withdrawNudges(database, watch.name, 'person_called');
  context.store.commit({ worker: watch.name, kind: 'stuck', summary: 'it has committed and does nothing more', rows });
  const moved = await applyProgress(context, watch, ready, config);
  const { stuck } = watch;
  if (moved || stuck === undefined) return moved;
  if (stuck.rungs < 3) {
    watch.stuck = { ...stuck, rungs: 2 };
    return false;
  }
  // Something keeps its commit from the review, such as a message that waits. Tried in every pass, it would never end.
  watch.stuck = undefined;
  call(context, watch.name, context.clock.now() - stuck.since, 'its commit could not go to review');
  return true;
}

function call(context: WorkContext, name: string, quietMs: number, why: string): void {
  commitMove(context, name, 'stopped', {
    why: `a person is called: ${why}`,
    fields: { attention: { kind: 'stuck', quiet_ms: quietMs, at_ms: context.clock.now() } },
    rows: (database) => {
      forgetLadder(database, name);
      withdrawNudges(database, name, 'person_called');
    },
  });
}
