import { fault } from '../../base/fault.ts';
import type { Clock } from '../../base/ports.ts';
import { inTransaction } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { isRecorded, recordEvent } from '../../store/tables/events.ts';
import { noteReport, showable } from './ingest.ts';
import { noteOwnStatus } from './own-status.ts';
import type { ProtocolSession } from './protocol-session.ts';
import type { Watch } from './watch.ts';

/**
 * Ingests what the agent reported over the protocol since the last pass. A record that is read again repeats earlier reports with the
 * same ids, and each is kept once. A new incarnation records them again, so llmc knows what its conversation holds.
 */
export function readProtocolEvents(store: Store, clock: Clock, watch: Watch, protocol: ProtocolSession): void {
  const { channel } = protocol.connection;
  if (channel === undefined) return;
  const now = clock.now();
  const { name: worker } = watch;
  const { incarnation } = watch.life;
  const received = channel
    .takeEvents()
    .map(({ id, ...report }) => ({ id: `${worker}/${incarnation}/${id}`, ...report }))
    .filter(({ id }) => !isRecorded(store.database, id));
  if (received.length > 0) {
    const fresh = inTransaction(store.database, () =>
      received.flatMap(({ id, name, event }) => {
        fault('event:before-record');
        return recordEvent(store.database, { id, worker, incarnation, name, at: now, payload: null }, showable(event), 'applied') ?? [];
      }),
    );
    for (const recorded of fresh) {
      fault('event:after-record');
      noteReport(watch, recorded);
    }
  }
  // Store both at once: a record counts as read only when all its events are stored.
  protocol.records = { over: channel, taken: channel.dialogue.timesRead };
  noteOwnStatus(watch, channel.live?.activity, now);
}
