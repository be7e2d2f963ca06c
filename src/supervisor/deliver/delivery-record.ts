import type { Database } from '../../store/database.ts';
import { type Delivery, updateDelivery } from '../../store/deliveries.ts';
import type { Worker } from '../../store/state.ts';
import type { Store } from '../../store/store.ts';
import type { WorkContext } from '../../workers/context.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import type { Watch } from '../observe/watch.ts';
import { type DeliveryStep, DRAFT } from './decide-delivery.ts';

export const MAX_ATTEMPTS = 3;

/** One step of a delivery: its row, the line in the history and what it means for the worker, written in one. */
export function recordStep(
  store: Store,
  row: Delivery,
  summary: string,
  fields: Partial<Delivery>,
  change?: (worker: Worker) => void,
): void {
  const step = {
    kind: 'delivery',
    summary: `${row.id.slice(0, 8)}: ${summary}`,
    rows: (database: Database) => updateDelivery(database, row.id, fields),
  };
  if (change === undefined) store.commit({ ...step, worker: row.worker });
  else store.changeWorker(row.worker, { ...step, change });
}

export function recordHeld(store: Store, row: Delivery, why: string): void {
  recordStep(store, row, `held: ${why}`, { state: 'held', reason: why }, (worker) => callFor(worker, why));
}

export function acknowledge(
  { store, clock }: WorkContext,
  watch: Watch,
  row: Delivery,
  { event, source, why }: Omit<Extract<DeliveryStep, { kind: 'ack' }>, 'kind'>,
): void {
  const acked = { state: 'acked', acked_event: event, ack_source: source, acked_ms: clock.now(), reason: null } as const;
  recordStep(store, row, `acknowledged (${source}): ${why}`, acked, (worker) => {
    worker.conversation_used = true;
    callFor(worker, undefined);
  });
  watch.clearing = undefined;
  watch.enters = undefined;
}

export function failDelivery(context: WorkContext, row: Delivery, why: string): void {
  commitMove(context, row.worker, 'failed', {
    why: `prompt ${row.id.slice(0, 8)} was not delivered, ${why}`,
    fields: { attention: `A prompt could not be delivered: ${why}. Look: llmc why ${row.worker}` },
    rows: (database) => updateDelivery(database, row.id, { state: 'failed', reason: why }),
  });
}

/** A prompt that waits for a person calls one; `obstacle` undefined: it has got through. */
function callFor(worker: Worker, obstacle: string | undefined): void {
  const call = `A prompt waits because ${DRAFT}. Send or clear what stands there: llmc attach ${worker.name}`;
  if (obstacle === DRAFT) worker.attention ??= call;
  else if (worker.attention === call) worker.attention = null;
}
