import type { Activity } from '../../agents/activity.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Config } from '../../config/schema.ts';
import { ackedDeliveries, nextDelivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { isConfirmed } from '../launch/handle-exit.ts';
import type { Watch } from '../observe/watch.ts';
import { applyProgress } from '../progress/apply-progress.ts';

/** A program without patterns that ends with status 0 has finished its turn: many do one task per start. True if the worker moved on. */
export async function finishByExit(
  context: WorkContext,
  watch: Watch,
  { plain }: Agent,
  { status }: Extract<Activity, { kind: 'exited' }>,
  config: Config,
): Promise<boolean> {
  const { database } = context.store;
  const now = context.clock.now();
  if (plain === undefined || status !== 0 || !isConfirmed(context, watch, now)) return false;
  if (nextDelivery(database, watch.name) !== undefined || ackedDeliveries(database, watch.name).length === 0) return false;
  const over = { ...watch.assessment, activity: { kind: 'ready' } as const, since: now };
  return await applyProgress(context, watch, over, config);
}
