import type { Agent, InputBox } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { type Delivery, typedDeliveries } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { collectOwners, parseRecordedEntries } from '../agent-files/recorded.ts';
import { findTranscript, markIn, readTranscriptEnd } from '../agent-files/transcript-file.ts';
import type { Watch } from '../observe/watch.ts';
import type { DeliveryView } from './delivery-step.ts';
import { parkedBy } from './parked-by.ts';
import { viewPlain } from './plain-view.ts';
import { type Reports, reportsFor } from './reports.ts';
import { boxHoldsOnly } from './text/input-box.ts';
import { noteTyping } from './typing-state.ts';

/** Collects the facts for the decision on one prompt. */
export function viewDelivery(
  context: WorkContext,
  watch: Watch,
  row: Delivery,
  agent: Agent,
  config: Config,
  reports: Reports,
  now: Instant,
): DeliveryView {
  const { reported } = watch;
  const box: InputBox = watch.screen.capture?.reading.box ?? { kind: 'absent' };
  const earlier = earlierDeliveries(context.store, row).map(({ sent_text }) => sent_text);
  // The transcript is read only when the hook is late. A time in the future is from before the clock was set back.
  const sinceMs = now - (row.submitted_ms ?? row.typed_ms ?? now);
  const late = sinceMs < 0 || sinceMs >= config.delivery.ackTimeoutMs / 2;
  const clearsByLaunch = agent.clearText === '';
  return {
    assessment: watch.assessment,
    incarnation: watch.life.incarnation,
    pane: typeof watch.tmux.pane === 'string' ? undefined : watch.tmux.pane,
    screen: watch.screen.capture,
    ack: reports.own,
    written: late && reports.own === undefined && inTranscript(context, watch, row, agent, config),
    shown: row.sent_text !== null && !earlier.includes(row.sent_text) && showsPrompt(watch, agent, row.sent_text),
    tookAnother: reports.another,
    personTypedAt: watch.tmux.personTypedAt,
    pausedAt: watch.pulse.pausedAt,
    continuedAt: watch.woken.at,
    inert: isInert(watch.pulse),
    conversationUsed: isConversationUsed(context.store.worker(watch.name), watch, agent),
    clearsByLaunch,
    boxIsEvidence: agent.boxIsEvidence,
    entered: watch.typing.entered === row.id,
    leftover: earlier[0] !== undefined && boxHoldsOnly(box, earlier[0]),
    clearTyped: !clearsByLaunch && boxHoldsOnly(box, agent.clearText),
    worked:
      row.submitted_ms !== null &&
      ((watch.screen.busyAt ?? 0) > row.submitted_ms || (reported.lastTurn !== null && reported.lastTurn.seq > (row.after_event ?? 0))),
    wipedAt: watch.typing.wipedAt,
    redraw: agent.redrawKeys && { at: watch.typing.redrawnAt },
    clearing: watch.typing.clearing,
    enters: watch.typing.enters?.delivery === row.id ? watch.typing.enters : undefined,
    readTookMs: watch.typing.readTookMs,
    plain: agent.plain && viewPlain(watch, row, earlier, now),
    parked: parkedBy(context, watch, row, config, now),
  };
}

/** An agent at its prompt uses some processor time in any few seconds; Claude Code 2.1 draws what it reads at once. */
const INERT_AFTER_MS = 3_000;

function isInert({ at, activeAt }: Watch['pulse']): boolean {
  return at !== undefined && activeAt !== undefined && at - activeAt >= INERT_AFTER_MS;
}

function showsPrompt({ screen: { capture } }: Watch, agent: Agent, text: string): boolean {
  return capture !== undefined && agent.showsPrompt(capture.screen, text);
}

/** The screen decides where it shows a conversation: Codex reports a cleared or resumed one only with the next prompt. */
function isConversationUsed(worker: Worker, { reported, screen: { capture } }: Watch, agent: Agent): boolean {
  // Only a new launch clears it.
  if (agent.clearText === '') return worker.conversation_used;
  const shown = capture && agent.conversationOn?.(capture.screen);
  return shown === undefined
    ? reported.promptsInConversation > 0
    : worker.conversation_used && worker.conversation_id?.startsWith(shown) === true;
}

/** The agent's reports about this prompt. */
export function reportsOn({ store }: Pick<WorkContext, 'store'>, watch: Watch, row: Delivery, agent: Agent): Reports {
  const others = typedDeliveries(store.database, row.worker, 20).filter(({ id }) => id !== row.id);
  const { at: tmuxAt, personTypedAt } = watch.tmux;
  const witness = { incarnation: watch.life.incarnation, tmuxAt, personTypedAt };
  return reportsFor(row, others, watch.reported.accepted, witness, agent.normalise);
}

/** Whether the CLI's transcript holds this prompt since it was typed. A transcript that has not grown since the last search is not read again. */
export function inTranscript({ store, files }: WorkContext, watch: Watch, row: Delivery, agent: Agent, config: Config): boolean {
  const { transcript } = agent;
  if (transcript === undefined || row.typed_ms === null || row.state === 'queued' || row.state === 'held') return false;
  const worker = store.worker(watch.name);
  const { conversation_id: conversation } = worker;
  const { searched } = watch.typing;
  const isSearched = (size: number) =>
    searched?.delivery === row.id && searched.conversation === conversation && searched.attempt === row.attempt && searched.size === size;
  const place = findTranscript(files, worker, config);
  if (place.state !== 'found' || isSearched(place.size)) return false;
  const record = readTranscriptEnd(files, worker, config, markIn(row, conversation));
  if (record.state !== 'read') return false;
  const rows = [row, ...typedDeliveries(store.database, row.worker, 20)];
  const isThere = collectOwners(parseRecordedEntries(transcript, record), rows, conversation, agent.normalise).has(row.id);
  if (!isThere) noteTyping(watch, { searched: { delivery: row.id, attempt: row.attempt, conversation, size: record.size } });
  return isThere;
}

/** Earlier prompts of this worker, newest first. An interrupt before the first answer puts the last one back into the box. */
export function earlierDeliveries(store: WorkContext['store'], row: Delivery): readonly SentDelivery[] {
  return typedDeliveries(store.database, row.worker, 20).flatMap((other) => {
    const { sent_text } = other;
    return other.seq < row.seq && sent_text !== null ? [{ ...other, sent_text }] : [];
  });
}

type SentDelivery = Delivery & { readonly sent_text: string };
