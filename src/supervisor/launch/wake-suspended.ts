import type { Activity } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import { inFlightSince } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { TimedCapture, Watch } from '../observe/watch.ts';

/** How long a continued agent may take to draw itself again before it is continued once more: each time twice as long. */
const AGAIN_AFTER_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** Longer than a redraw takes. */
const UNREADABLE_MS = 3_000;

/**
 * Continues an agent that a person suspended with Ctrl+Z. No shell is behind the agent, so nobody could type `fg`: Claude Code 2.1
 * leaves its screen and waits for SIGCONT, without being stopped, because the kernel ignores SIGTSTP in a session without a shell.
 */
export function wakeSuspended(context: Pick<WorkContext, 'store' | 'clock' | 'signals'>, watch: Watch): boolean {
  const { store, clock, signals } = context;
  const { pane } = watch.tmux;
  const { capture } = watch.screen;
  if (typeof pane === 'string' || pane.dead || capture === undefined) return false;
  const now = clock.now();
  const why = isSuspended(capture.reading.activity)
    ? 'the agent was suspended with Ctrl+Z'
    : hiddenBehindPrompt(context, watch, capture, now);
  if (why === undefined) {
    if (capture.reading.activity.kind !== 'unknown') watch.woken = { ...watch.woken, times: 0 };
    return false;
  }
  const { at, times } = watch.woken;
  // A clock that was set back must not make the wait longer.
  if (at !== undefined && times > 0 && now >= at && now - at < Math.min(AGAIN_AFTER_MS * 2 ** (times - 1), LONGEST_PAUSE_MS)) return false;
  watch.woken = { at: now, times: times + 1 };
  store.commit({ worker: watch.name, kind: 'terminal', summary: `${why}: continued with SIGCONT` });
  // Its whole group: in a sandbox the agent is a child of the pane's process.
  if (!signals.send(-pane.pid, 'SIGCONT')) signals.send(pane.pid, 'SIGCONT');
  return true;
}

const isSuspended = (activity: Activity): boolean => activity.kind === 'unknown' && activity.opened?.what === 'suspended';

/**
 * A prompt that was pasted as the agent suspended itself is shown by the terminal, and a tall one scrolls the agent's last words off the
 * screen. The signal does nothing to an agent that runs, so it needs no proof; one that a person stopped with a signal stays so.
 */
function hiddenBehindPrompt(
  { store }: Pick<WorkContext, 'store'>,
  { name, pulse }: Watch,
  { reading: { activity, box }, since }: TimedCapture,
  now: Instant,
): string | undefined {
  if (activity.kind !== 'unknown' || activity.opened !== undefined || box.kind !== 'absent') return undefined;
  if (pulse.stopped !== undefined || now - since < UNREADABLE_MS || inFlightSince(store.database, name) === undefined) return undefined;
  return 'the screen shows no input box since a prompt was typed, perhaps because the agent was suspended with Ctrl+Z';
}
