import type { Agent } from '../../agents/agent.ts';
import { shortId } from '../../base/short-id.ts';
import type { Database } from '../../store/database.ts';
import { type Delivery, typedDeliveries, updateDelivery, waitingDeliveries } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import type { Watch } from '../observe/watch.ts';
import { reportsOn } from './delivery-view.ts';
import type { Reports } from './reports.ts';

/** How many of the last prompts may still be taken. */
const RECENT = 3;

/**
 * Corrects a prompt that was given up and that the agent took after all, such as one that was paused for long. The same text that a
 * person has sent again meanwhile, and that was not typed yet, is over with it. `inFlight`: the reports on the prompt that is on its way.
 * Returns true when something was corrected.
 */
export function correctFailed(
  context: Pick<WorkContext, 'store' | 'clock' | 'say'>,
  watch: Watch,
  agent: Agent,
  inFlight: Reports | undefined,
): boolean {
  const { store, clock } = context;
  const recent = typedDeliveries(store.database, watch.name, RECENT);
  const row = recent.find((other) => wasGivenUp(other) && other.incarnation === watch.life.incarnation);
  const ack = row && exactly(reportsOn(context, watch, row, agent));
  // The same text may have been typed again: then the report is of that prompt, which nobody has given up.
  const isTaken = ack !== undefined && ack.seq === (inFlight && exactly(inFlight))?.seq;
  if (row === undefined || ack === undefined || isTaken || recent.some(({ acked_event }) => acked_event === ack.seq)) return false;
  const now = clock.now();
  const again = waitingDeliveries(store.database, watch.name).filter(
    (other) => other.seq > row.seq && other.attempt === 0 && other.text === row.text,
  );
  const rows = (database: Database) => {
    updateDelivery(database, row.id, { state: 'acked', acked_event: ack.seq, ack_source: 'hook', acked_ms: now, reason: null });
    for (const { id } of again) updateDelivery(database, id, { state: 'done', done_ms: now, reason: { kind: 'already_taken' } });
  };
  const why = `prompt ${shortId(row.id)} was given up, but the agent has taken it now`;
  const { status, attention } = store.worker(watch.name);
  if (status === 'error' && attention?.kind === 'delivery_failed')
    commitMove(context, watch.name, 'continued', { recovers: true, why, fields: { attention: null, conversation_used: true }, rows });
  else store.commit({ worker: watch.name, kind: 'delivery', recovers: true, summary: why, rows });
  return true;
}

/** A report with a person's words too is too weak to revive a prompt. */
function exactly({ own }: Reports): Reports['own'] {
  return own?.mixed === true ? undefined : own;
}

/** Not one that a reset or an accept ended: nobody waits for that any more. */
function wasGivenUp({ state, reason }: Delivery): boolean {
  return state === 'failed' && (reason?.kind === 'not_accepted' || reason?.kind === 'enter_ignored');
}
