import type { Agent, InputBox } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { type Delivery, recentDeliveries } from '../../store/deliveries.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../../workers/context.ts';
import { parkedUntil } from '../limits/usage-limits.ts';
import { readTranscript } from '../observe/transcript-file.ts';
import type { Watch } from '../observe/watch.ts';
import type { DeliveryView } from './delivery-step.ts';
import { boxHoldsOnly } from './input-box.ts';
import { type Reports, reportsFor } from './reports.ts';

/** Everything that is known about one prompt on its way, gathered for the decision. */
export function viewDelivery(context: WorkContext, watch: Watch, row: Delivery, agent: Agent, config: Config, now: Instant): DeliveryView {
  const { memory } = watch;
  const box: InputBox = watch.look?.reading.box ?? { kind: 'absent' };
  const reports = reportsOn(context, watch, row, agent);
  const earlier = earlierDeliveries(context.store, row).flatMap(({ sent_text }) => sent_text ?? []);
  // The record is read only once the hook is late: it is a whole conversation long.
  const late = now - (row.submitted_ms ?? row.typed_ms ?? now) >= config.delivery.ackTimeoutMs / 2;
  const clearsByLaunch = agent.clearText === '';
  return {
    assessment: watch.assessment,
    incarnation: watch.incarnation,
    pane: typeof watch.pane === 'string' ? undefined : watch.pane,
    screen: watch.look,
    ack: reports.own,
    written: late && reports.own === undefined && inTranscript(context, watch, row, agent, config),
    shown: row.sent_text !== null && !earlier.includes(row.sent_text) && showsPrompt(watch, agent, row.sent_text),
    tookAnother: reports.another,
    personTypedAt: watch.personTypedAt,
    conversationUsed: isConversationUsed(context.store.worker(watch.name), watch, agent),
    clearsByLaunch,
    boxIsWitness: agent.boxIsWitness,
    entered: watch.entered === row.id,
    leftover: earlier[0] !== undefined && boxHoldsOnly(box, earlier[0]),
    clearTyped: !clearsByLaunch && boxHoldsOnly(box, agent.clearText),
    worked:
      row.submitted_ms !== null &&
      ((watch.busyAt ?? 0) > row.submitted_ms || (memory.lastTurn !== null && memory.lastTurn.seq > (row.after_event ?? 0))),
    wipedAt: watch.wipedAt,
    redraw: agent.redrawKeys && { at: watch.redrawnAt },
    clearing: watch.clearing,
    enters: watch.enters?.delivery === row.id ? watch.enters : undefined,
    readTookMs: watch.readTookMs,
    parked: parkedUntil(context, watch, config, now)?.why,
  };
}

function showsPrompt({ look }: Watch, agent: Agent, text: string): boolean {
  return look !== undefined && agent.showsPrompt(look.screen, text);
}

/** What the agent shows comes first, where it shows anything: Codex reports a cleared conversation, or one taken up again, only with the next prompt. */
function isConversationUsed(worker: Worker, { memory, look }: Watch, agent: Agent): boolean {
  // Nothing clears it but a new launch.
  if (agent.clearText === '') return worker.conversation_used;
  const shown = look && agent.conversationOn?.(look.screen);
  return shown === undefined
    ? memory.promptsInConversation > 0
    : worker.conversation_used && worker.conversation_id?.startsWith(shown) === true;
}

/** The agent's own word on this prompt. */
export function reportsOn({ store }: WorkContext, watch: Watch, row: Delivery, agent: Agent): Reports {
  const others = recentDeliveries(store.database, row.worker, 20).filter(({ id }) => id !== row.id);
  return reportsFor(row, others, watch.memory.accepted, agent.normalise);
}

/** Whether the CLI's own record of the conversation holds this prompt, younger than its typing. Asked only while an acknowledgement is missing. */
export function inTranscript({ store }: WorkContext, watch: Watch, row: Delivery, agent: Agent, config: Config): boolean {
  const { transcript } = agent;
  const typed = row.typed_ms;
  if (transcript === undefined || typed === null || row.state === 'queued' || row.state === 'held') return false;
  const text = readTranscript(store.worker(watch.name), config);
  const wanted = agent.normalise(row.sent_text ?? row.text);
  return (
    text !== undefined && transcript.prompts(text).some((prompt) => prompt.at >= typed - 1_000 && agent.normalise(prompt.text) === wanted)
  );
}

/** What was typed into this agent before, the last one first: an interrupt before its first answer puts that back into the box. */
export function earlierDeliveries(store: WorkContext['store'], row: Delivery): readonly Delivery[] {
  return recentDeliveries(store.database, row.worker, 20).filter((other) => other.seq < row.seq);
}
