import type { ActivityKind } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import type { DeliveryState } from '../../store/deliveries.ts';
import type { Worker } from '../../store/state.ts';
import type { Watch } from './watch.ts';

/** Each a part of the next, so that looks at many workers fall together and share their questions to tmux. */
export const CLOSE_MS = 125;
const BUSY_MS = 500;
export const IDLE_MS = 2_000;

type Seen = Pick<Watch, 'assessment' | 'screen' | 'status' | 'protocol'>;

/** How long until the next look at a worker if nothing happens: short while something is under way, long while all is still. */
export function pollEveryMs(seen: Seen, status: Worker['status'], row: DeliveryState | undefined): number {
  const { kind } = seen.assessment.activity;
  // Given up, or not needed: nothing happens to it until a person comes.
  if (kind === 'exited' && (status === 'error' || status === 'needs_review')) return IDLE_MS;
  if (isUnsettled(seen) || (row !== undefined && row !== 'held')) return CLOSE_MS;
  const turnEnded = kind === 'ready' && row === undefined && (status === 'working' || status === 'rejected');
  if (turnEnded || inDoubt(seen)) return CLOSE_MS;
  return kind === 'processing' || row !== undefined ? BUSY_MS : IDLE_MS;
}

/** On a grid, half a step away at the least: whoever has the same rhythm is looked at in the same pass. */
export function nextPollAt(now: Instant, everyMs: number): Instant {
  return (Math.floor(now / everyMs + 0.5) + 1) * everyMs;
}

/** Also when it lies further ahead than any rhythm: then the clock was put back. */
export function isDue(pollAt: Instant, now: Instant): boolean {
  return pollAt <= now || pollAt > now + 2 * IDLE_MS;
}

/** Whether what the agent reports can be acted upon without a look at its pane: nobody is about to type, and nothing is in doubt. */
export function reportIsEnough(seen: Seen, row: DeliveryState | undefined): boolean {
  const { kind } = seen.assessment.activity;
  if (seen.protocol !== undefined) return kind !== 'exited' && kind !== 'unknown';
  return seen.screen.capture !== undefined && row === undefined && !isUnsettled(seen);
}

/** Whether the screen is needed even if nothing was written to it since the last look. */
export function needsFreshScreen(seen: Seen, row: DeliveryState | undefined): boolean {
  return !reportIsEnough(seen, row) || inDoubt(seen);
}

function isUnsettled({ assessment: { activity, source } }: Seen): boolean {
  // Unreadable for long already: a person has to come, and a look now and then will see it.
  if (activity.kind === 'unknown') return source !== 'screen';
  return activity.kind === 'starting' || activity.kind === 'exited';
}

const LIVELY: readonly (ActivityKind | undefined)[] = ['ready', 'processing', 'awaiting_question', 'awaiting_permission'];

/** The screen says something else than the agent's last word, and no status file settles it: soon the screen will be believed. */
function inDoubt({ assessment: { activity }, screen: { capture }, status: { live } }: Seen): boolean {
  const shown = capture?.reading.activity.kind;
  const background = activity.kind === 'processing' && activity.detail === 'background';
  return live === undefined && !background && shown !== activity.kind && LIVELY.includes(shown) && LIVELY.includes(activity.kind);
}
