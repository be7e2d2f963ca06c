import type { ActivityKind } from '../agents/activity.ts';
import { nextDelivery } from '../store/deliveries.ts';
import type { Store } from '../store/store.ts';
import type { Watch } from './watch.ts';

const CLOSE_MS = 150;
const BUSY_MS = 500;
const IDLE_MS = 1_000;

/** How long until the next pass if nothing wakes it: short while something is under way, long while all is still. */
export function rhythmMs(watches: readonly Watch[], store: Store): number {
  let pauseMs = IDLE_MS;
  for (const watch of watches) {
    const { kind } = watch.assessment.activity;
    // Unreadable for long already: a person has to come, and a look now and then will see it.
    const unreadable = kind === 'unknown' && watch.assessment.source === 'screen';
    const status = store.state.workers[watch.name]?.status;
    // Given up: nothing happens to it until a person comes.
    if (kind === 'exited' && status === 'error') continue;
    const row = nextDelivery(store.database, watch.name);
    const unsettled = kind === 'starting' || (kind === 'unknown' && !unreadable) || kind === 'exited';
    if (unsettled || (row !== undefined && row.state !== 'held')) return CLOSE_MS;
    const turnEnded = kind === 'ready' && row === undefined && (status === 'working' || status === 'rejected');
    if (turnEnded || inDoubt(watch)) return CLOSE_MS;
    if (kind === 'processing' || row !== undefined) pauseMs = BUSY_MS;
  }
  return pauseMs;
}

const LIVELY: readonly (ActivityKind | undefined)[] = ['ready', 'processing', 'awaiting_question', 'awaiting_permission'];

/** The screen says something else than the agent's last word, and no status file settles it: soon the screen will be believed. */
function inDoubt({ assessment: { activity }, look, live }: Watch): boolean {
  const shown = look?.reading.activity.kind;
  const background = activity.kind === 'processing' && activity.detail === 'background';
  return live === undefined && !background && shown !== activity.kind && LIVELY.includes(shown) && LIVELY.includes(activity.kind);
}
