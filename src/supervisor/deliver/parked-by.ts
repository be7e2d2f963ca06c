import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { type Delivery, waitingDeliveries } from '../../store/tables/deliveries.ts';
import type { HoldReason } from '../../store/tables/delivery-reason.ts';
import type { WorkContext } from '../../workers/context.ts';
import { parkedUntil } from '../limits/parking.ts';
import type { Watch } from '../observe/watch.ts';

type Ports = Pick<WorkContext, 'store'>;

/** Why this prompt is not sent for now, whatever its agent shows: for a usage limit, or because a failed turn is continued first. */
export function parkedBy(
  context: Ports,
  watch: Pick<Watch, 'name' | 'assessment'>,
  row: Pick<Delivery, 'worker' | 'state'>,
  config: Config,
  now: Instant,
): HoldReason | undefined {
  return parkedUntil(context, watch, config, now)?.why ?? behindFailedTurn(context, row);
}

/** A message must not take the place of the interrupted task. One that a person sends after the failure does: it tells the agent to continue. */
function behindFailedTurn({ store }: Ports, { worker, state }: Pick<Delivery, 'worker' | 'state'>): HoldReason | undefined {
  const failed = store.worker(worker).failed_turn;
  if (failed === null || failed.until_ms === null || (state !== 'queued' && state !== 'held')) return undefined;
  const sentSince = waitingDeliveries(store.database, worker).some(({ created_ms }) => created_ms > failed.since_ms);
  return sentSince ? undefined : { kind: 'behind_failed_turn', until_ms: failed.until_ms };
}
