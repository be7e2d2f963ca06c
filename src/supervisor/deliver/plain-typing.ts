import { openDialog } from '../../agents/activity.ts';
import type { Agent } from '../../agents/agent.ts';
import { fault } from '../../base/fault.ts';
import type { Config } from '../../config/schema.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { PlainScreen, PlainTyping, Watch } from '../observe/watch.ts';
import { seenSince } from './text/seen-text.ts';
import { paste, type RecordTyping } from './typing.ts';
import { noteTyping } from './typing-state.ts';

const LOOK_MS = 40;

/** Pastes into an agent without patterns, and presses Enter once the screen shows the text. The rules decide about anything else. */
export async function typePlain(
  context: WorkContext,
  watch: Watch,
  agent: Agent,
  config: Config,
  row: Delivery,
  record: RecordTyping,
): Promise<void> {
  const { store, clock, terminal, signal } = context;
  const { session_id: session } = store.worker(watch.name);
  const before = await captureWithCursor(context, watch, session);
  const { pane } = watch.tmux;
  if (before === undefined || typeof pane === 'string') return;
  const text = await paste(context, watch, agent, config, row, record, {
    delivery: row.id,
    attempt: row.attempt + 1,
    before: before.lines,
    foreground: pane.command,
  });
  const deadline = clock.now() + config.delivery.maxDebounceMs;
  do {
    await clock.sleep(LOOK_MS, signal);
    const screen = (await terminal.capture([session])).get(session);
    if (screen === undefined || openDialog(agent.classify(screen, clock.now()).activity) !== undefined) return;
    if (seenSince(before.lines, screen.lines, text) !== 'whole') continue;
    await clock.sleep(config.delivery.debounceBaseMs, signal);
    await enterPlain(context, watch, text, () => record('sent with Enter', { state: 'submitted', submitted_ms: clock.now() }), row);
    return;
  } while (clock.now() < deadline);
}

/** Presses Enter once, and keeps the screen from before it: a change of it is the only evidence that the agent took the prompt. */
export async function enterPlain(
  context: WorkContext,
  watch: Watch,
  text: string,
  recordSubmitted: () => void,
  row: Delivery,
): Promise<void> {
  const { session_id: session } = context.store.worker(watch.name);
  const atEnter = await captureWithCursor(context, watch, session);
  if (atEnter === undefined) return;
  const { plain } = watch.typing;
  const known = plain?.delivery === row.id ? plain : undefined;
  const { pane } = watch.tmux;
  const typed: PlainTyping = known ?? {
    delivery: row.id,
    attempt: row.attempt,
    before: [],
    foreground: typeof pane === 'string' ? '' : pane.command,
  };
  // Before the key: a row without this time has had no Enter.
  recordSubmitted();
  noteTyping(watch, { plain: { ...typed, atEnter, wasSeen: seenSince(typed.before, atEnter.lines, text) !== 'nothing' }, entered: row.id });
  fault('delivery:after-submitted-row');
  await context.terminal.keys(session, ['Enter']);
  fault('delivery:after-enter');
}

/** Undefined also for a pane whose program has ended: it keeps the last frame, and takes no key. */
async function captureWithCursor({ terminal }: WorkContext, { tmux }: Watch, session: string): Promise<PlainScreen | undefined> {
  const { panes, screens } = await terminal.capturePanes([session]);
  const screen = screens.get(session);
  const id = typeof tmux.pane === 'string' ? undefined : tmux.pane.id;
  const pane = panes?.find((each) => each.id === id);
  return screen === undefined || pane === undefined || pane.dead ? undefined : { lines: screen.lines, cursor: pane.cursor };
}
