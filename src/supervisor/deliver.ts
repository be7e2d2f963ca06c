import type { Agent, InputBox } from '../agents/agent.ts';
import { fault } from '../base/fault.ts';
import type { Config, DeliveryTiming } from '../config/schema.ts';
import { type Delivery, nextDelivery, recentDeliveries, updateDelivery } from '../store/deliveries.ts';
import { lastEventSeq } from '../store/events.ts';
import { readTextIfThere } from '../system/files.ts';
import type { WorkContext } from '../workers/context.ts';
import { move } from '../workers/move.ts';
import { boxHolds, boxHoldsOnly } from './box.ts';
import { type DeliveryStep, type DeliveryView, decideDelivery } from './decide-delivery.ts';
import { agentEnvironment } from './observe.ts';
import { type Reports, reportsFor } from './reports.ts';
import { withTakenBack } from './taken-back.ts';
import { noteLook, type Watch } from './watch.ts';

const MAX_ATTEMPTS = 3;
const PERSON_PAUSE_MS = 4_000;
/** How often the box is looked at while a paste arrives. */
const PASTE_LOOK_MS = 40;

/** Moves a worker's oldest undelivered prompt one step on. Returns true when something was done. */
export async function deliverStep(context: WorkContext, watch: Watch, agent: Agent, config: Config): Promise<boolean> {
  const timing = config.delivery;
  const row = nextDelivery(context.store.database, watch.name);
  if (row === undefined) {
    watch.clearing = undefined;
    return false;
  }
  // A supervisor that was killed had begun to clear: its command may still stand unsent in the box.
  if (row.attempt === 0 && row.incarnation === watch.incarnation) watch.clearing ??= { at: context.clock.now(), times: 1 };
  const policy = {
    ackTimeoutMs: timing.ackTimeoutMs,
    enterRetryCount: timing.enterRetryCount,
    enterRetryDelayMs: timing.enterRetryDelayMs,
    maxAttempts: MAX_ATTEMPTS,
    personPauseMs: PERSON_PAUSE_MS,
  };
  const now = context.clock.now();
  // The record is read only once the hook is late: it is a whole conversation long.
  const late = now - (row.submitted_ms ?? row.typed_ms ?? now) >= timing.ackTimeoutMs / 2;
  const reports = reportsOf(context, watch, row, agent);
  const written = late && reports.own === undefined && inTranscript(context, watch, row, agent, config);
  const earlier = earlierDeliveries(context.store, row).map(({ sent_text }) => sent_text);
  const step = decideDelivery(row, viewOf(watch, row, agent, reports, written, earlier), policy, now);
  return await perform(context, watch, agent, timing, row, step);
}

function viewOf(watch: Watch, row: Delivery, agent: Agent, reports: Reports, written: boolean, earlier: readonly string[]): DeliveryView {
  const { memory } = watch;
  const box: InputBox = watch.look?.reading.box ?? { kind: 'absent' };
  return {
    assessment: watch.assessment,
    incarnation: watch.incarnation,
    pane: typeof watch.pane === 'string' ? undefined : watch.pane,
    screen: watch.look,
    ack: reports.own,
    written,
    shown: watch.look !== undefined && !earlier.includes(row.sent_text) && agent.showsPrompt(watch.look.screen, row.sent_text),
    tookAnother: reports.another,
    personTypedAt: watch.personTypedAt,
    conversationUsed: memory.promptsInConversation > 0,
    leftover: earlier[0] !== undefined && boxHoldsOnly(box, earlier[0]),
    clearTyped: boxHoldsOnly(box, agent.clearText),
    worked:
      row.submitted_ms !== null &&
      ((watch.busyAt ?? 0) > row.submitted_ms || (memory.lastTurn !== null && memory.lastTurn.seq > (row.after_event ?? 0))),
    wipedAt: watch.wipedAt,
    redraw: agent.redrawKeys && { at: watch.redrawnAt },
    clearing: watch.clearing,
    enters: watch.enters?.delivery === row.id ? watch.enters : undefined,
    readTookMs: watch.readTookMs,
  };
}

function reportsOf({ store }: WorkContext, watch: Watch, row: Delivery, agent: Agent): Reports {
  const others = recentDeliveries(store.database, row.worker, 20).filter(({ id }) => id !== row.id);
  return reportsFor(row, others, watch.memory.accepted, agent.normalise);
}

/**
 * Before an agent that has ended is replaced: a prompt it took with its last breath is acknowledged
 * now. The next incarnation remembers nothing of it, and the prompt would be typed a second time.
 */
export function settleAck(context: WorkContext, watch: Watch, agent: Agent, config: Config): void {
  const row = nextDelivery(context.store.database, watch.name);
  if (row === undefined || (row.state !== 'typed' && row.state !== 'submitted') || row.incarnation !== watch.incarnation) return;
  const written = inTranscript(context, watch, row, agent, config);
  const ack = reportsOf(context, watch, row, agent).own;
  if (ack === undefined && !written) return;
  const why = 'the agent had it before it ended';
  acknowledge(context, watch, row, { kind: 'ack', event: ack?.seq ?? null, source: ack === undefined ? 'transcript' : 'hook', why });
}

/** Whether the CLI's own record of the conversation holds this prompt, younger than its typing. Asked only while an acknowledgement is missing. */
function inTranscript({ store }: WorkContext, watch: Watch, row: Delivery, agent: Agent, config: Config): boolean {
  const { agent: name, worktree_path, conversation_id } = store.worker(watch.name);
  const typed = row.typed_ms;
  if (agent.transcript === undefined || typed === null || conversation_id === null || row.state === 'queued' || row.state === 'held')
    return false;
  const text = readTextIfThere(agent.transcript.path(agentEnvironment(config, name), worktree_path, conversation_id));
  const wanted = agent.normalise(row.sent_text);
  return (
    text !== undefined &&
    agent.transcript.prompts(text).some((prompt) => prompt.at >= typed - 1_000 && agent.normalise(prompt.text) === wanted)
  );
}

/** What was typed into this agent before, the last one first: an interrupt before its first answer puts that back into the box. */
function earlierDeliveries(store: WorkContext['store'], row: Delivery): readonly Delivery[] {
  return recentDeliveries(store.database, row.worker, 20).filter((other) => other.seq < row.seq);
}

async function perform(
  context: WorkContext,
  watch: Watch,
  agent: Agent,
  timing: DeliveryTiming,
  row: Delivery,
  step: DeliveryStep,
): Promise<boolean> {
  const { store, clock, terminal } = context;
  const session = store.worker(watch.name).session_id;
  const record = (summary: string, fields: Partial<Delivery>) =>
    store.commit({
      worker: watch.name,
      kind: 'delivery',
      summary: `${row.id.slice(0, 8)}: ${summary}`,
      rows: (database) => updateDelivery(database, row.id, fields),
    });
  switch (step.kind) {
    case 'wait':
      return false;
    case 'hold':
      if (row.state === 'held' && row.reason === step.why) return false;
      record(`held: ${step.why}`, { state: 'held', reason: step.why });
      return true;
    case 'clear':
      watch.clearing = { at: clock.now(), times: (watch.clearing?.times ?? 0) + 1 };
      record(`clearing the conversation: ${step.why}`, { incarnation: watch.incarnation });
      await terminal.paste(session, agent.clearText);
      fault('delivery:after-clear-paste');
      await clock.sleep(timing.debounceBaseMs, context.signal);
      if (!(await arrivedWhole(context, watch, agent, session, agent.clearText, timing.maxDebounceMs))) return true;
      await terminal.keys(session, ['Enter']);
      fault('delivery:after-clear-enter');
      return true;
    case 'type':
      await type(context, watch, agent, timing, row, record);
      return true;
    case 'enter':
      await pressAgain(context, watch, row, session, () =>
        record(`Enter once more: ${step.why}`, { state: 'submitted', submitted_ms: clock.now() }),
      );
      return true;
    case 'wipe':
      emptied(context, row, step.why);
      watch.wipedAt = clock.now();
      await terminal.keys(session, agent.wipeKeys);
      return true;
    case 'leave_mode':
      record(`leaving copy mode: ${step.why}`, {});
      await terminal.leaveCopyMode(session);
      return true;
    case 'redraw':
      watch.redrawnAt = clock.now();
      record(`drawing the screen anew: ${step.why}`, {});
      await terminal.keys(session, agent.redrawKeys ?? []);
      return true;
    case 'requeue':
      record(`queued again: ${step.why}`, { state: 'queued', reason: step.why });
      return true;
    case 'ack':
      fault('delivery:before-acked-row');
      acknowledge(context, watch, row, step);
      fault('delivery:after-acked-row');
      return true;
    case 'fail':
      fail(context, watch, row, step.why);
      return true;
  }
}

/** Written down before the box is emptied: what stood there may be a prompt the agent had taken and gave back. */
function emptied({ store, clock }: WorkContext, row: Delivery, why: string): void {
  const inFlight = row.state === 'typed' || row.state === 'submitted';
  const before = inFlight ? undefined : earlierDeliveries(store, row)[0];
  const takenBack = before?.state === 'acked' ? before : undefined;
  store.commit({
    worker: row.worker,
    kind: 'delivery',
    summary: `${row.id.slice(0, 8)}: emptying the box: ${why}`,
    rows: (database) => {
      updateDelivery(database, row.id, { state: 'queued', reason: why, ...(takenBack && withTakenBack(takenBack, row)) });
      if (takenBack !== undefined)
        updateDelivery(database, takenBack.id, { state: 'done', done_ms: clock.now(), reason: 'taken back by an interrupt; sent again' });
    },
  });
}

/** Paste, look until the whole text stands in the box, then Enter as a key of its own. Each step is on disk before it is taken. */
async function type(
  context: WorkContext,
  watch: Watch,
  agent: Agent,
  timing: DeliveryTiming,
  row: Delivery,
  record: (summary: string, fields: Partial<Delivery>) => void,
): Promise<void> {
  const { store, clock, terminal, signal } = context;
  const session = store.worker(watch.name).session_id;
  fault('delivery:before-typed-row');
  record(`typing, attempt ${row.attempt + 1}`, {
    state: 'typed',
    reason: null,
    attempt: row.attempt + 1,
    incarnation: watch.incarnation,
    after_event: lastEventSeq(store.database),
    typed_ms: clock.now(),
    submitted_ms: null,
  });
  watch.enters = undefined;
  fault('delivery:after-typed-row');
  await terminal.paste(session, row.sent_text);
  const pasted = clock.now();
  fault('delivery:after-paste');
  const pauseMs = Math.min(timing.debounceBaseMs + Math.floor(row.sent_text.length / 1_024) * timing.debouncePerKbMs, timing.maxDebounceMs);
  await clock.sleep(pauseMs, signal);
  if (!(await arrivedWhole(context, watch, agent, session, row.sent_text, timing.maxDebounceMs))) return;
  watch.readTookMs = clock.now() - pasted - pauseMs;
  // Before the key: a row without this time has had no Enter, so what the agent does meanwhile is not its doing.
  record('sent with Enter', { state: 'submitted', submitted_ms: clock.now() });
  fault('delivery:after-submitted-row');
  await terminal.keys(session, ['Enter']);
  fault('delivery:after-enter');
}

async function arrivedWhole(
  context: WorkContext,
  watch: Watch,
  agent: Agent,
  session: string,
  text: string,
  patienceMs: number,
): Promise<boolean> {
  const deadline = context.clock.now() + patienceMs;
  do {
    const screen = (await context.terminal.capture([session])).get(session);
    if (screen !== undefined) {
      const reading = agent.classify(screen, context.clock.now());
      noteLook(watch, screen, reading, context.clock.now());
      // A dialog may have opened since: an Enter now would answer it.
      if (reading.activity.kind === 'awaiting_permission' || reading.activity.kind === 'awaiting_question') return false;
      if (boxHolds(reading.box, text) === 'whole') return true;
    }
    await context.clock.sleep(PASTE_LOOK_MS, context.signal);
  } while (context.clock.now() < deadline);
  return false;
}

async function pressAgain(context: WorkContext, watch: Watch, row: Delivery, session: string, recordSubmitted: () => void): Promise<void> {
  const at = context.clock.now();
  if (row.state === 'typed' || row.state === 'submitted') {
    recordSubmitted();
    watch.enters = { delivery: row.id, at, times: (watch.enters?.delivery === row.id ? watch.enters.times : 0) + 1 };
  } else {
    // Not the prompt yet, but the command that clears the conversation before it.
    watch.clearing = { at, times: watch.clearing?.times ?? 1 };
  }
  await context.terminal.keys(session, ['Enter']);
}

function acknowledge(context: WorkContext, watch: Watch, row: Delivery, step: Extract<DeliveryStep, { kind: 'ack' }>): void {
  const { store, clock } = context;
  store.commit({
    worker: watch.name,
    kind: 'delivery',
    summary: `${row.id.slice(0, 8)}: acknowledged (${step.source}): ${step.why}`,
    state: (draft) => {
      const worker = draft.workers[watch.name];
      if (worker !== undefined) worker.conversation_used = true;
    },
    rows: (database) =>
      updateDelivery(database, row.id, {
        state: 'acked',
        acked_event: step.event,
        ack_source: step.source,
        acked_ms: clock.now(),
        reason: null,
      }),
  });
  watch.clearing = undefined;
  watch.enters = undefined;
}

function fail(context: WorkContext, watch: Watch, row: Delivery, why: string): void {
  const { store, clock } = context;
  store.commit({
    worker: watch.name,
    kind: 'delivery',
    summary: `${row.id.slice(0, 8)}: failed: ${why}`,
    state: (draft) => {
      const worker = draft.workers[watch.name];
      if (worker === undefined) return;
      move(worker, 'failed', clock.now(), { attention: `A prompt could not be delivered: ${why}. Look: llmc why ${watch.name}` });
    },
    rows: (database) => updateDelivery(database, row.id, { state: 'failed', reason: why }),
  });
}
