import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from '../observe/watch.ts';

/** How long a continued agent may take to draw itself again before it is continued once more. */
const AGAIN_AFTER_MS = 5_000;
/** An agent that is suspended after so many signals needs a person: its unreadable screen calls one. */
const MOST_TIMES = 3;

/**
 * Continues an agent that a person suspended with Ctrl+Z. No shell is behind the agent, so nobody could type `fg`: Claude Code 2.1
 * leaves its screen and waits for SIGCONT, without being stopped, because the kernel ignores SIGTSTP in a session without a shell.
 */
export function wakeSuspended({ store, clock, signals }: Pick<WorkContext, 'store' | 'clock' | 'signals'>, watch: Watch): boolean {
  const { pane } = watch.tmux;
  const activity = watch.screen.capture?.reading.activity;
  if (typeof pane === 'string' || pane.dead || activity === undefined) return false;
  if (activity.kind !== 'unknown' || activity.opened?.what !== 'suspended') {
    watch.woken = { at: undefined, times: 0 };
    return false;
  }
  const now = clock.now();
  const { at, times } = watch.woken;
  // A clock that was set back must not make the wait longer.
  if (times >= MOST_TIMES || (at !== undefined && now >= at && now - at < AGAIN_AFTER_MS)) return false;
  watch.woken = { at: now, times: times + 1 };
  store.commit({ worker: watch.name, kind: 'terminal', summary: 'the agent was suspended with Ctrl+Z: continued with SIGCONT' });
  // Its whole group: in a sandbox the agent is a child of the pane's process.
  if (!signals.send(-pane.pid, 'SIGCONT')) signals.send(pane.pid, 'SIGCONT');
  return true;
}
