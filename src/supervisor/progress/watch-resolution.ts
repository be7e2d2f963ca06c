import { join } from 'node:path';
import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { administrativeFolder } from '../../git/private/place.ts';
import type { ResolutionView } from '../../recovery/decide-resolution.ts';
import { ackedDeliveries, nextDelivery } from '../../store/tables/deliveries.ts';
import { openResolution, type Resolution } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../../workers/context.ts';
import { advanceResolution } from '../../workers/rebase/advance-resolution.ts';
import { resolutionPolicy } from '../../workers/rebase/resolution-policy.ts';
import type { Watch } from '../observe/watch.ts';
import { shownBy } from './apply-progress.ts';
import { turnIsOver } from './decide-progress.ts';

/**
 * Watches the rebase that an agent resolves. Most passes only stat three files: git is asked when they changed, when a turn ended,
 * or when the patience is over. Returns true when something was done.
 */
export async function watchResolution(context: WorkContext, watch: Watch, config: Config): Promise<boolean> {
  const { store, clock } = context;
  const row = openResolution(store.database, watch.name);
  if (row === undefined) return false;
  const now = clock.now();
  const stamp = readStamp(context, watch.name);
  const progressAt = watch.resolution?.stamp === stamp ? watch.resolution.progressAt : now;
  const agent = judgeAgent(context, watch, now);
  const undelivered = nextDelivery(store.database, watch.name) !== undefined;
  const overdue = agent === 'busy' && isOverdue(row, progressAt, config, now);
  const facts = JSON.stringify([stamp, agent, undelivered, overdue, watch.reported.lastTurn?.seq, ...listStanding(row)]);
  const decided = watch.resolution?.decided;
  if ((agent === 'busy' && !overdue) || facts === decided) {
    watch.resolution = { stamp, progressAt, decided };
    return false;
  }
  const step = await advanceResolution(context, watch.name, { agent, undelivered, progressAt });
  watch.resolution = { stamp, progressAt, decided: facts };
  return step !== undefined && step.kind !== 'wait';
}

/** After a restart of the supervisor: git's files had not changed since then. */
export function recallResolution(watch: Watch, stamp: string, progressAt: Instant): void {
  watch.resolution = { stamp, progressAt, decided: undefined };
}

function judgeAgent({ store }: WorkContext, watch: Watch, now: number): ResolutionView['agent'] {
  const { activity } = watch.assessment;
  switch (activity.kind) {
    case 'ready':
    // A turn that failed is over too; several in a row call a person.
    case 'error': {
      const acked = ackedDeliveries(store.database, watch.name);
      return turnIsOver({ acked, screen: shownBy(watch, watch.assessment, now) }) ? 'turn-over' : 'busy';
    }
    case 'processing':
      return 'busy';
    case 'awaiting_question':
    case 'awaiting_permission':
      return 'asks';
    default:
      return 'absent';
  }
}

function isOverdue(row: Resolution, progressAt: number, config: Config, now: number): boolean {
  const { helpAfterMs, callAfterMs } = resolutionPolicy(config);
  return now - Math.max(progressAt, row.asked_ms ?? 0, row.help_ms ?? 0) >= Math.min(helpAfterMs, callAfterMs);
}

const listStanding = ({ phase, attempts, loops, called, help_ms, continuing }: Resolution): readonly unknown[] => [
  phase,
  attempts,
  loops,
  called,
  help_ms,
  continuing,
];

/** git writes these when it commits, stages or stops. An agent can write them too: then git is asked once more. */
function readStamp({ layout, files }: WorkContext, name: string): string {
  const folder = administrativeFolder(layout.root, name);
  return JSON.stringify(['HEAD', 'index', 'rebase-merge/done'].map((file) => files.stamp(join(folder, file)) ?? null));
}
