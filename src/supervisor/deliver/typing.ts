import { openDialog } from '../../agents/activity.ts';
import type { Agent } from '../../agents/agent.ts';
import { fault } from '../../base/fault.ts';
import type { DeliveryTiming } from '../../config/schema.ts';
import type { Delivery } from '../../store/deliveries.ts';
import { lastEventSeq } from '../../store/events.ts';
import type { WorkContext } from '../../workers/context.ts';
import { asTyped } from '../../workers/prompt/as-typed.ts';
import { noteCapture } from '../observe/screen-watch.ts';
import type { Watch } from '../observe/watch.ts';
import { boxHolds } from './input-box.ts';
import { noteTyping } from './typing-state.ts';

/** How often the box is looked at while a paste arrives. */
const PASTE_LOOK_MS = 40;

/** Paste, look until the whole text stands in the box, then Enter as a key of its own. Each step is on disk before it is taken. */
export async function type(
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
  const safe = asTyped(context, agent, row);
  record(`typing, attempt ${row.attempt + 1}`, {
    state: 'typed',
    reason: null,
    attempt: row.attempt + 1,
    incarnation: watch.life.incarnation,
    after_event: lastEventSeq(store.database),
    typed_ms: clock.now(),
    submitted_ms: null,
    sent_text: safe.text,
    changes: JSON.stringify(safe.changes),
  });
  noteTyping(watch, { enters: undefined });
  fault('delivery:after-typed-row');
  await terminal.paste(session, safe.text);
  const pasted = clock.now();
  fault('delivery:after-paste');
  const pauseMs = Math.min(timing.debounceBaseMs + Math.floor(safe.text.length / 1_024) * timing.debouncePerKbMs, timing.maxDebounceMs);
  await clock.sleep(pauseMs, signal);
  if (!(await arrivedWhole(context, watch, agent, session, safe.text, timing.maxDebounceMs))) return;
  noteTyping(watch, { readTookMs: clock.now() - pasted - pauseMs });
  // Before the key: a row without this time has had no Enter, so what the agent does meanwhile is not its doing.
  record('sent with Enter', { state: 'submitted', submitted_ms: clock.now() });
  fault('delivery:after-submitted-row');
  await terminal.keys(session, ['Enter']);
  noteTyping(watch, { entered: row.id });
  fault('delivery:after-enter');
}

/** Whether the whole text stands in the box, and nothing but the box would take the Enter. */
export async function arrivedWhole(
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
      noteCapture(watch, { screen, reading }, context.clock.now());
      // A dialog may have opened since: an Enter now would answer it.
      if (openDialog(reading.activity) !== undefined) return false;
      if (boxHolds(reading.box, text) === 'whole') return true;
    }
    await context.clock.sleep(PASTE_LOOK_MS, context.signal);
  } while (context.clock.now() < deadline);
  return false;
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
    // Not the prompt yet, but the command that clears the conversation before it.
    noteTyping(watch, { clearing: { at, times: watch.typing.clearing?.times ?? 1 } });
  }
  await context.terminal.keys(session, ['Enter']);
  noteTyping(watch, { entered: row.id });
}
