import type { Agent } from '../../agents/agent.ts';
import { fault } from '../../base/fault.ts';
import { shortId } from '../../base/short-id.ts';
import type { Config } from '../../config/schema.ts';
import { type Delivery, nextDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { launch } from '../launch/launch.ts';
import { relaunch } from '../launch/relaunch.ts';
import { ingest } from '../observe/ingest.ts';
import type { Watch } from '../observe/watch.ts';
import { correctFailed } from './correct-failed.ts';
import { type DeliveryStep, decideDelivery } from './decide-delivery.ts';
import { acknowledge, clearDecision, isCommon, noteDecision, performCommon, recordStep, savedScreen } from './delivery-record.ts';
import { earlierDeliveries, inTranscript, reportsOn, viewDelivery } from './delivery-view.ts';
import { enterPlain, typePlain } from './plain-typing.ts';
import type { Reports } from './reports.ts';
import { awaitArrival, pressAgain, type } from './typing.ts';
import { noteSetBack, noteTyping } from './typing-state.ts';
import { endWaiting, watchWaiting } from './waiting-watch.ts';

const PERSON_PAUSE_MS = 4_000;

/** Takes the next step for a worker's oldest undelivered prompt. Returns true when something was done. */
export async function deliverStep(context: WorkContext, watch: Watch, agent: Agent, config: Config): Promise<boolean> {
  const timing = config.delivery;
  const row = nextDelivery(context.store.database, watch.name);
  const isInDoubt = row !== undefined || context.store.worker(watch.name).attention?.kind === 'delivery_failed';
  const reports = row && reportsOn(context, watch, row, agent);
  if (isInDoubt && correctFailed(context, watch, agent, reports)) return true;
  if (row === undefined || reports === undefined) {
    noteTyping(watch, { clearing: undefined });
    clearDecision(watch);
    endWaiting(context, watch);
    return false;
  }
  // The previous supervisor was killed while it cleared the conversation: its command may be in the box, not sent.
  if (row.attempt === 0 && row.incarnation === watch.life.incarnation)
    noteTyping(watch, { clearing: watch.typing.clearing ?? { at: context.clock.now(), times: 1 } });
  const policy = {
    ackTimeoutMs: timing.ackTimeoutMs,
    enterRetryCount: timing.enterRetryCount,
    enterRetryDelayMs: timing.enterRetryDelayMs,
    maxAttempts: config.recovery.deliveryAttempts,
    personPauseMs: PERSON_PAUSE_MS,
  };
  keepLateReports(context, reports, watch.name);
  const now = context.clock.now();
  noteSetBack(watch, now);
  const step = decideDelivery(row, viewDelivery(context, watch, row, agent, config, reports, now), policy, now);
  noteDecision(watch, row, step);
  watchWaiting(context, watch, row, step, config);
  return await perform(context, watch, agent, config, row, step);
}

/** Stores a report with the prompt it belongs to: it must never acknowledge a later one with the same words. */
function keepLateReports({ store }: WorkContext, { late }: Reports, worker: string): void {
  for (const { delivery, event } of late)
    store.commit({
      worker,
      kind: 'delivery',
      summary: `${shortId(delivery)}: its report arrived after it was acknowledged`,
      rows: (database) => updateDelivery(database, delivery, { acked_event: event }),
    });
}

/**
 * Acknowledges a prompt that an agent took just before it ended. Called before the agent is replaced: the next incarnation
 * knows nothing of the prompt, and it would be typed a second time.
 */
export function settleAck(context: WorkContext, watch: Watch, agent: Agent, config: Config): void {
  const row = nextDelivery(context.store.database, watch.name);
  if (row === undefined || (row.state !== 'typed' && row.state !== 'submitted') || row.incarnation !== watch.life.incarnation) return;
  const written = inTranscript(context, watch, row, agent, config);
  const ack = reportsOn(context, watch, row, agent).own;
  if (ack === undefined && !written) return settlePlain(context, watch, row, agent);
  const why = 'the agent took it before it ended';
  const mixed = ack?.mixed === true;
  acknowledge(context, watch, row, { event: ack?.seq ?? null, source: ack === undefined ? 'transcript' : 'hook', why, mixed });
}

/** A program that ends by itself after Enter has probably done what the prompt asked; after a crash the prompt is sent again. */
function settlePlain(context: WorkContext, watch: Watch, row: Delivery, { plain }: Agent): void {
  const { activity } = watch.assessment;
  if (plain === undefined || row.submitted_ms === null || activity.kind !== 'exited' || activity.status !== 0) return;
  const source = watch.typing.plain?.wasSeen === true ? 'screen' : 'unverified';
  acknowledge(context, watch, row, { event: null, source, why: 'the agent ended with status 0 after Enter' });
}

async function perform(
  context: WorkContext,
  watch: Watch,
  agent: Agent,
  config: Config,
  row: Delivery,
  step: DeliveryStep,
): Promise<boolean> {
  if (isCommon(step)) return performCommon(context, watch, row, step);
  const { store, clock, terminal } = context;
  const { delivery: timing } = config;
  const session = store.worker(watch.name).session_id;
  const record = (summary: string, fields: Partial<Delivery>) => recordStep(store, row, summary, fields);
  const recover = (summary: string, fields: Partial<Delivery>) => recordStep(store, row, summary, fields, { recovers: true });
  switch (step.kind) {
    case 'clear':
      noteTyping(watch, { clearing: { at: clock.now(), times: (watch.typing.clearing?.times ?? 0) + 1 } });
      record(`clearing the conversation: ${step.why}`, { incarnation: watch.life.incarnation });
      await terminal.paste(session, agent.clearText);
      fault('delivery:after-clear-paste');
      await clock.sleep(timing.debounceBaseMs, context.signal);
      if ((await awaitArrival(context, watch, agent, session, agent.clearText, timing.maxDebounceMs)) !== 'whole') return true;
      await terminal.keys(session, ['Enter']);
      fault('delivery:after-clear-enter');
      return true;
    case 'relaunch':
      await launch(context, watch, { conversation: 'fresh', why: step.why, crashed: false });
      return true;
    case 'respawn':
      await startAgain(context, watch, row, step);
      return true;
    case 'type':
      // What is reported from here on has a higher number than `after_event`. A new report may change the decision.
      if (ingest(store, watch, agent).length === 0)
        await (agent.plain === undefined ? type : typePlain)(context, watch, agent, config, row, record);
      return true;
    case 'enter':
      await press(context, watch, agent, row, () =>
        recover(`Enter${agent.plain === undefined ? ' again' : ''}: ${step.why}`, { state: 'submitted', submitted_ms: clock.now() }),
      );
      return true;
    case 'wipe':
      emptied(context, row, step);
      noteTyping(watch, { wipedAt: clock.now() });
      await terminal.keys(session, agent.wipeKeys);
      return true;
    case 'leave_mode':
      recover(`leaving copy mode: ${step.why}`, {});
      await terminal.leaveCopyMode(session);
      return true;
    case 'redraw':
      noteTyping(watch, { redrawnAt: clock.now() });
      recover(`redrawing the screen: ${step.why}`, {});
      await terminal.keys(session, agent.redrawKeys ?? []);
      return true;
  }
}

async function press(context: WorkContext, watch: Watch, agent: Agent, row: Delivery, recordSubmitted: () => void): Promise<void> {
  if (agent.plain !== undefined) return await enterPlain(context, watch, row.sent_text ?? row.text, recordSubmitted, row);
  await pressAgain(context, watch, row, context.store.worker(watch.name).session_id, recordSubmitted);
}

/** Nothing is recorded when the agent cannot be started: that is tried again in each pass. */
async function startAgain(
  context: WorkContext,
  watch: Watch,
  row: Delivery,
  { attempt, why }: Extract<DeliveryStep, { kind: 'respawn' }>,
): Promise<void> {
  await relaunch(context, watch, {
    why: 'it took no prompt',
    goOn: false,
    record: () => {
      // The attempt that follows is the last: an agent that loses it too needs a person.
      const summary = `starting the agent again for the last attempt: ${why}${savedScreen(context, watch)}`;
      recordStep(context.store, row, summary, { state: 'queued', reason: { kind: 'agent_respawned' }, attempt }, { recovers: true });
      fault('respawn:before-launch');
    },
  });
}

/**
 * Records that the box is emptied, before the key. When Claude Code 2.1 is interrupted before its first word, it takes the prompt out of
 * the conversation and puts it back into its box. If a message with --now did that, both are sent as one prompt, the older first.
 */
function emptied({ store, clock }: WorkContext, row: Delivery, { reason, why }: Extract<DeliveryStep, { kind: 'wipe' }>): void {
  const inFlight = row.state === 'typed' || row.state === 'submitted';
  const before = inFlight ? undefined : earlierDeliveries(store, row)[0];
  const takenBack = before?.state === 'acked' ? before : undefined;
  store.commit({
    worker: row.worker,
    kind: 'delivery',
    recovers: true,
    summary: `${shortId(row.id)}: emptying the box: ${why}${takenBack ? `; ${shortId(takenBack.id)} goes out again, in front of it` : ''}`,
    rows: (database) => {
      updateDelivery(database, row.id, { state: 'queued', reason, ...(takenBack && { text: `${takenBack.text}\n\n${row.text}` }) });
      if (takenBack !== undefined)
        updateDelivery(database, takenBack.id, { state: 'done', done_ms: clock.now(), reason: { kind: 'taken_back' } });
    },
  });
}
