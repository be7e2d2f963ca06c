import type { Agent, SafeText } from '../../agents/agent.ts';
import type { Channel } from '../../agents/channel.ts';
import { fault } from '../../base/fault.ts';
import type { Config } from '../../config/schema.ts';
import { type Delivery, nextDelivery } from '../../store/tables/deliveries.ts';
import { lastEventSeq } from '../../store/tables/events.ts';
import type { WorkContext } from '../../workers/context.ts';
import { asTyped } from '../../workers/prompt/as-typed.ts';
import { markRecord } from '../agent-files/transcript-file.ts';
import { isOpen, type ProtocolSession, recordsTaken } from '../observe/protocol-session.ts';
import type { Watch } from '../observe/watch.ts';
import { decideSending, type SendingStep } from './decide-sending.ts';
import { clearDecision, isCommon, noteDecision, performCommon, recordStep } from './delivery-record.ts';
import { parkedBy } from './parked-by.ts';
import { endWaiting, watchWaiting } from './waiting-watch.ts';

/** Takes the next step for the oldest prompt of an agent on the protocol channel. Returns true when something was done. */
export function sendStep(context: WorkContext, watch: Watch, protocol: ProtocolSession, agent: Agent, config: Config): boolean {
  const { store, clock } = context;
  const row = nextDelivery(store.database, watch.name);
  if (row === undefined) {
    clearDecision(watch);
    endWaiting(context, watch);
    return false;
  }
  const { asked } = protocol;
  const { channel } = protocol.connection;
  // After a crash, llmc searches the recorded conversation for the prompt: without a record it must not be sent.
  const known = channel?.dialogue.conversationId === store.worker(watch.name).conversation_id;
  const view = {
    assessment: watch.assessment,
    open: isOpen(protocol) && known,
    openedAt: channel?.openedAt,
    conversationUsed: watch.reported.promptsInConversation > 0,
    // By id only: a new incarnation reports the whole record again, and older prompts may read the same.
    ack: watch.reported.accepted.find(({ id }) => id === row.id),
    fate: channel?.dialogue.fateOf(row.id) ?? 'unknown',
    recordsTaken: recordsTaken(protocol),
    parked: parkedBy(context, watch, row, config, clock.now()),
    asked: asked?.over === channel && asked?.delivery === row.id && asked.at >= (row.submitted_ms ?? 0) ? asked : undefined,
  };
  const policy = { ackTimeoutMs: config.delivery.ackTimeoutMs, maxAttempts: config.recovery.deliveryAttempts };
  const step = decideSending(row, view, policy, clock.now());
  noteDecision(watch, row, step);
  watchWaiting(context, watch, row, step, config);
  return perform(context, watch, protocol, agent, config, row, step);
}

function perform(
  context: WorkContext,
  watch: Watch,
  protocol: ProtocolSession,
  agent: Agent,
  config: Config,
  row: Delivery,
  step: SendingStep,
): boolean {
  if (isCommon(step)) return performCommon(context, watch, row, step);
  const { store, clock } = context;
  const record = (summary: string, fields: Partial<Delivery>) => recordStep(store, row, summary, fields);
  const mark = () => markRecord(context.files, store.worker(watch.name), config);
  switch (step.kind) {
    case 'start_over':
      record(`a new conversation: ${step.why}`, {});
      sendIfOpen(protocol, (dialogue) => dialogue.startOver());
      return true;
    case 'send':
      send(context, watch, protocol, row, asSent(context, agent, row), (summary, fields) => record(summary, { ...mark(), ...fields }));
      return true;
    case 'read_again':
      protocol.asked = { over: protocol.connection.channel, delivery: row.id, at: clock.now(), recordsBefore: recordsTaken(protocol) };
      record(`reading the conversation again: ${step.why}`, {});
      sendIfOpen(protocol, (dialogue) => dialogue.readAgain());
      return true;
  }
}

/** Over a protocol no character acts as a key or gets lost, so a prompt is sent unchanged, unless it is too long. */
function asSent(context: WorkContext, agent: Agent, row: Delivery): Pick<SafeText, 'text' | 'changes'> {
  return row.text.length > (agent.protocol?.longestPrompt ?? 0) ? asTyped(context, agent, row) : { text: row.text, changes: [] };
}

/** Records the prompt before it is sent: after a crash, the agent's record shows whether it arrived. */
function send(
  context: WorkContext,
  watch: Watch,
  protocol: ProtocolSession,
  row: Delivery,
  safe: Pick<SafeText, 'text' | 'changes'>,
  record: (summary: string, fields: Partial<Delivery>) => void,
): void {
  const { store, clock } = context;
  fault('delivery:before-typed-row');
  const now = clock.now();
  const sent = { attempt: row.attempt + 1, incarnation: watch.life.incarnation, after_event: lastEventSeq(store.database) };
  record(`sent over the protocol, attempt ${row.attempt + 1}`, {
    state: 'submitted',
    reason: null,
    typed_ms: now,
    submitted_ms: now,
    ...sent,
    sent_text: safe.text,
    changes: JSON.stringify(safe.changes),
  });
  protocol.asked = undefined;
  fault('delivery:after-submitted-row');
  sendIfOpen(protocol, (dialogue) => dialogue.prompt(row.id, safe.text));
  fault('delivery:after-enter');
}

/** Sends nothing once the connection has ended: the next connection asks for the agent's record. */
function sendIfOpen(
  { connection: { channel } }: ProtocolSession,
  words: (dialogue: Channel['dialogue']) => Parameters<Channel['say']>[0],
): void {
  channel?.say(words(channel.dialogue));
}
