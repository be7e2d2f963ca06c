import { type ActivityKind, openDialog } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import type { Worker } from '../../store/state.ts';
import type { DeliveryState } from '../../store/tables/deliveries.ts';
import type { Watch } from './watch.ts';

/** Each interval divides the next, so that captures of many workers fall together and share their questions to tmux. */
export const CLOSE_MS = 125;
const BUSY_MS = 500;
export const IDLE_MS = 2_000;
/** Before llmc observes a worker in trouble again: the trouble may pass by itself. */
export const TROUBLED_MS = 1_000;
/** Before llmc tries again to bring up a worker. */
export const RETRY_MS = 5_000;

type Known = Pick<Watch, 'assessment' | 'screen' | 'status' | 'protocol'>;

/** How long until the next observation of a worker if nothing happens: short while something is under way, long otherwise. */
export function pollEveryMs(known: Known, status: Worker['status'], row: DeliveryState | undefined): number {
  const { kind } = known.assessment.activity;
  // Given up, or not needed: nothing happens to this worker until a person acts.
  if (kind === 'exited' && (status === 'error' || status === 'needs_review')) return IDLE_MS;
  if (isUnsettled(known) || (row !== undefined && row !== 'held')) return CLOSE_MS;
  const turnEnded = kind === 'ready' && row === undefined && (status === 'working' || status === 'rejected' || status === 'rebasing');
  if (turnEnded || inDoubt(known) || isUndrawn(known)) return CLOSE_MS;
  return kind === 'processing' || row !== undefined ? BUSY_MS : IDLE_MS;
}

/** The next time on a grid, at least half an interval away: workers with the same interval are observed in the same pass. */
export function nextPollAt(now: Instant, everyMs: number): Instant {
  return (Math.floor(now / everyMs + 0.5) + 1) * everyMs;
}

/** True also when the time is further ahead than the longest wait: then the clock was set back. */
export function isDue(at: Instant, now: Instant, longestMs = 2 * IDLE_MS): boolean {
  return at <= now || at > now + longestMs;
}

/** Whether llmc can act on the agent's report without a capture of its pane: no prompt is about to be typed, and nothing is in doubt. */
export function reportIsEnough(known: Known, row: DeliveryState | undefined): boolean {
  const { kind } = known.assessment.activity;
  if (known.protocol !== undefined) return kind !== 'exited' && kind !== 'unknown';
  return known.screen.capture !== undefined && row === undefined && !isUnsettled(known);
}

/** Whether the screen is needed even if nothing was written to it since the last capture. */
export function needsFreshScreen(known: Known, row: DeliveryState | undefined): boolean {
  return !reportIsEnough(known, row) || inDoubt(known) || isUndrawn(known);
}

function isUnsettled({ assessment: { activity, source } }: Known): boolean {
  // The screen has been unreadable for long, or the process is stopped: a person has to act, and an occasional capture notices it.
  if (activity.kind === 'unknown') return source !== 'screen' && source !== 'process';
  return activity.kind === 'starting' || activity.kind === 'exited';
}

/** After this time the screen of an announced dialog is not waited for. */
const DRAWN_WITHIN_MS = 15_000;

/** A dialog was announced, and no capture shows it yet: only the screen has its choices. */
function isUndrawn({ assessment: { activity, since, source }, screen: { capture } }: Known): boolean {
  if (source !== 'hook' || openDialog(activity) === undefined || capture === undefined) return false;
  return openDialog(capture.reading.activity) === undefined && capture.at - since < DRAWN_WITHIN_MS;
}

const LIVELY: readonly (ActivityKind | undefined)[] = ['ready', 'processing', 'awaiting_question', 'awaiting_permission'];

/** The screen contradicts the agent's last report, and no status file settles it: soon the screen will count. */
function inDoubt({ assessment: { activity }, screen: { capture }, status: { live } }: Known): boolean {
  const shown = capture?.reading.activity.kind;
  const background = activity.kind === 'processing' && activity.detail === 'background';
  return live === undefined && !background && shown !== activity.kind && LIVELY.includes(shown) && LIVELY.includes(activity.kind);
}
