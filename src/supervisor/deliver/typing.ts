import { openDialog } from '../../agents/activity.ts';
import type { Agent } from '../../agents/agent.ts';
import { fault } from '../../base/fault.ts';
import type { Config } from '../../config/schema.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { lastEventSeq } from '../../store/tables/events.ts';
import { agentPane } from '../../terminal/panes.ts';
import type { WorkContext } from '../../workers/context.ts';
import { asTyped } from '../../workers/prompt/as-typed.ts';
import { markRecord } from '../agent-files/transcript-file.ts';
import { noteCapture } from '../observe/screen-watch.ts';
import type { PlainTyping, Watch } from '../observe/watch.ts';
import { distrustBox } from './distrust-box.ts';
import { boxHolds } from './text/input-box.ts';
import { noteTyping } from './typing-state.ts';

/** How often the screen is captured while a paste arrives. */
const PASTE_LOOK_MS = 40;

/** Pastes, captures until the box holds the whole text, then presses Enter as a separate key. Each step is recorded before it is taken. */
export async function type(
  context: WorkContext,
  watch: Watch,
  agent: Agent,
  config: Config,
  row: Delivery,
  record: RecordTyping,
): Promise<void> {
  const { store, clock, terminal, signal } = context;
  const { delivery: timing } = config;
  const { session_id: session } = store.worker(watch.name);
  const before = watch.screen.capture?.screen.lines ?? [];
  const text = await paste(context, watch, agent, config, row, record);
  const pasted = clock.now();
  const pauseMs = Math.min(timing.debounceBaseMs + Math.floor(text.length / 1_024) * timing.debouncePerKbMs, timing.maxDebounceMs);
  await clock.sleep(pauseMs, signal);
  const arrival = await awaitArrival(context, watch, agent, session, text, timing.maxDebounceMs);
  if (arrival === 'not_whole') distrustBox(context, watch, agent, { row, text, before });
  if (arrival !== 'whole') return;
  noteTyping(watch, { readTookMs: clock.now() - pasted - pauseMs });
  // Before the key: a row without this time has had no Enter, so the agent's work cannot come from it.
  record('sent with Enter', { state: 'submitted', submitted_ms: clock.now() });
  fault('delivery:after-submitted-row');
  await terminal.keys(session, ['Enter']);
  noteTyping(watch, { entered: row.id });
  fault('delivery:after-enter');
}

export type RecordTyping = (summary: string, fields: Partial<Delivery>) => void;

/** Records that a prompt is about to be typed, pastes it, and returns it as the agent gets it. `plain`: for an agent without patterns. */
export async function paste(
  context: WorkContext,
  watch: Watch,
  agent: Agent,
  config: Config,
  row: Delivery,
  record: RecordTyping,
  plain?: PlainTyping,
): Promise<string> {
  const { store, clock, files, terminal } = context;
  fault('delivery:before-typed-row');
  const safe = asTyped(context, agent, row);
  record(`typing, attempt ${row.attempt + 1}`, {
    state: 'typed',
    reason: null,
    attempt: row.attempt + 1,
    incarnation: watch.life.incarnation,
    after_event: lastEventSeq(store.database),
    ...markRecord(files, store.worker(watch.name), config),
    typed_ms: clock.now(),
    submitted_ms: null,
    sent_text: safe.text,
    changes: JSON.stringify(safe.changes),
  });
  noteTyping(watch, { enters: undefined, ...(plain && { plain }) });
  fault('delivery:after-typed-row');
  await terminal.paste(store.worker(watch.name).session_id, safe.text);
  fault('delivery:after-paste');
  return safe.text;
}

/** Waits until the box holds the whole text. `whole`: an Enter would send it; not in a dialog, which would take the Enter. */
export async function awaitArrival(
  context: WorkContext,
  watch: Watch,
  agent: Agent,
  session: string,
  text: string,
  patienceMs: number,
): Promise<'whole' | 'not_whole' | 'agent_ended'> {
  const deadline = context.clock.now() + patienceMs;
  do {
    const { panes, screens } = await context.terminal.capturePanes([session]);
    // tmux 3.3a may know for seconds that a pane is dead before it says so on its screen; the box of the last frame takes no Enter.
    if (agentPane(panes ?? [], session)?.dead === true) return 'agent_ended';
    const screen = screens.get(session);
    if (screen !== undefined) {
      const reading = agent.classify(screen, context.clock.now());
      noteCapture(watch, { screen, reading }, context.clock.now());
      // An Enter would answer a dialog that opened meanwhile.
      if (openDialog(reading.activity) !== undefined) return 'not_whole';
      if (boxHolds(reading.box, text) === 'whole') return 'whole';
    }
    await context.clock.sleep(PASTE_LOOK_MS, context.signal);
  } while (context.clock.now() < deadline);
  return 'not_whole';
}

export async function pressAgain(
  context: WorkContext,
  watch: Watch,
  row: Delivery,
  session: string,
  recordSubmitted: () => void,
): Promise<void> {
  const at = context.clock.now();
  if (row.state === 'typed' || row.state === 'submitted') {
    recordSubmitted();
    noteTyping(watch, {
      enters: { delivery: row.id, at, times: (watch.typing.enters?.delivery === row.id ? watch.typing.enters.times : 0) + 1 },
    });
  } else {
    // The Enter is for the command that clears the conversation before the prompt.
    noteTyping(watch, { clearing: { at, times: watch.typing.clearing?.times ?? 1 } });
  }
  await context.terminal.keys(session, ['Enter']);
  noteTyping(watch, { entered: row.id });
}
