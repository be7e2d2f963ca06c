import type { Instant } from '../base/ports.ts';
import { type Clocks, keepClocks, keptClocks } from '../store/tables/clocks.ts';
import type { WorkContext } from '../workers/context.ts';
import { recallWaiting } from './deliver/waiting-watch.ts';
import { recallScreen, screenHash } from './observe/screen-watch.ts';
import { lastProgressAt, type Watch } from './observe/watch.ts';
import { recallResolution } from './progress/watch-resolution.ts';

/** Keeps how long each worker has waited, for a supervisor that takes over. Called once in a while: the time since the last call is lost. */
export function recordClocks({ store, clock }: Pick<WorkContext, 'store' | 'clock'>, watches: Iterable<Watch>): void {
  const now = clock.now();
  const counting = [...watches].filter(isCounting);
  if (counting.length === 0) return;
  try {
    keepClocks(store.database, new Map(counting.map((watch) => [watch.name, toClocks(watch, now)])));
  } catch {
    // The heartbeat, which is written at the same time, reports a disk that cannot take it.
  }
}

/** After a restart of the supervisor, for an agent that still runs. */
export function recallClocks({ store, clock }: Pick<WorkContext, 'store' | 'clock'>, watch: Watch): void {
  const kept = keptClocks(store.database, watch.name);
  if (kept === undefined || kept.incarnation !== watch.life.incarnation) return;
  const now = clock.now();
  if (kept.screen !== null) recallScreen(watch, kept.screen, now - kept.quiet_ms);
  if (kept.waiting !== null) recallWaiting(watch, kept.waiting.delivery, kept.waiting.spent_ms, now);
  if (kept.resolution !== null) recallResolution(watch, kept.resolution.stamp, now - kept.resolution.quiet_ms);
}

/** A watch that no pass has assessed yet knows less than the row that it would replace. */
function isCounting({ assessment, waiting, resolution }: Watch): boolean {
  if (assessment.source === 'none') return false;
  return assessment.activity.kind === 'processing' || waiting !== undefined || resolution !== undefined;
}

function toClocks(watch: Watch, now: Instant): Clocks {
  const { life, waiting, resolution } = watch;
  return {
    incarnation: life.incarnation,
    quiet_ms: Math.max(0, now - lastProgressAt(watch)),
    screen: screenHash(watch),
    waiting: waiting === undefined ? null : { delivery: waiting.delivery, spent_ms: waiting.spentMs },
    resolution: resolution === undefined ? null : { stamp: resolution.stamp, quiet_ms: Math.max(0, now - resolution.progressAt) },
  };
}
