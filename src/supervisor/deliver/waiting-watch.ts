import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { type Attention, isAboutPrompt } from '../../store/attention.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { HoldReason } from '../../store/tables/delivery-reason.ts';
import type { WorkContext } from '../../workers/context.ts';
import { reasonText } from '../../workers/prompt/delivery-reason-text.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { lastProgressAt, type WaitingTime, type Watch } from '../observe/watch.ts';
import type { CommonStep } from './delivery-step.ts';
import { addWaiting, findObstacle, isOverdue, type OwnStep } from './hold-ends.ts';
import { lostForGoodMs } from './in-flight-rules.ts';

type Context = Pick<WorkContext, 'store' | 'clock' | 'say'>;

/** Counts how long a prompt waits, tells a person when that is too long, and takes it back once the prompt is on its way. */
export function watchWaiting(
  context: Context,
  watch: Watch,
  row: Delivery,
  step: CommonStep | OwnStep,
  { delivery, recovery }: Pick<Config, 'delivery' | 'recovery'>,
): void {
  const now = context.clock.now();
  const reason = findObstacle(step);
  if (reason === undefined) return endWaiting(context, watch);
  watch.waiting = addWaiting(watch.waiting, row.id, reason, lastProgressAt(watch), now);
  if (isOverdue(watch.waiting, reason, recovery, lostForGoodMs(recovery.deliveryAttempts, delivery.ackTimeoutMs)))
    tell(context, row.worker, reason);
  // Told already: another obstacle in its place, such as the person who comes to close the menu, changes nothing. A turn is none.
  else if (reason.kind === 'busy' || (step.kind !== 'hold' && step.kind !== 'wait')) takeBack(context, watch);
}

/** For a worker without a prompt to deliver. */
export function endWaiting(context: Context, watch: Watch): void {
  watch.waiting = undefined;
  takeBack(context, watch);
}

/** After a restart of the supervisor: the prompt has waited that long already. */
export function recallWaiting(watch: Watch, delivery: string, spentMs: WaitingTime['spentMs'], now: Instant): void {
  watch.waiting = { delivery, at: now, spentMs };
}

/** A worker at work whose prompt needs a person does nothing: its status says so. A rejected one keeps its status, which the end of its turn depends on. */
function tell(context: Context, name: string, reason: HoldReason): void {
  const { store, clock } = context;
  const { status, attention: before } = store.worker(name);
  const attention = attentionFor(reason);
  const why = `a prompt waits: ${reasonText(reason, clock.now())}`;
  if (status === 'working') return commitMove(context, name, 'stopped', { recovers: true, why, fields: { attention } });
  if (!(before === null || isAboutPrompt(before)) || isDeepStrictEqual(before, attention)) return;
  store.changeWorker(name, { kind: 'delivery', recovers: true, summary: why, change: (worker) => Object.assign(worker, { attention }) });
}

function attentionFor(reason: HoldReason): Attention {
  switch (reason.kind) {
    case 'draft_in_box':
      return { kind: 'draft_in_box' };
    case 'agent_stopped':
      return reason;
    default:
      return { kind: 'prompt_waits', reason };
  }
}

function takeBack(context: Context, { name, pulse }: Watch): void {
  const { status, attention } = context.store.worker(name);
  if (attention === null || !isAboutPrompt(attention)) return;
  // A supervisor that has not read the process table yet does not know that it runs again.
  if (attention.kind === 'agent_stopped' && (pulse.at === undefined || pulse.stopped !== undefined)) return;
  const why = 'what kept its agent from a prompt is over';
  if (status === 'needs_input') return commitMove(context, name, 'continued', { why, fields: { attention: null } });
  context.store.changeWorker(name, { kind: 'delivery', summary: why, change: (worker) => Object.assign(worker, { attention: null }) });
}
