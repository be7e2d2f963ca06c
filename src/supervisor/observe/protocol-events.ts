import { fault } from '../../base/fault.ts';
import type { Clock } from '../../base/ports.ts';
import { inTransaction } from '../../store/database.ts';
import { isRecorded, recordEvent } from '../../store/events.ts';
import type { Store } from '../../store/store.ts';
import { noteReport, showable } from './ingest.ts';
import { noteOwnStatus } from './own-status.ts';
import type { ProtocolSession } from './protocol-session.ts';
import type { Watch } from './watch.ts';

/**
 * Takes in what the agent said since the last pass. A record that is read again repeats what was said before under the
 * same ids, which is kept once. A new life of the agent records it again, and so knows what its conversation holds.
 */
export function readProtocolEvents(store: Store, clock: Clock, watch: Watch, protocol: ProtocolSession): void {
  const { channel } = protocol.connection;
  if (channel === undefined) return;
  const now = clock.now();
  const { name: worker } = watch;
  const { incarnation } = watch.life;
  const heard = channel
    .takeEvents()
    .map(({ id, ...said }) => ({ id: `${worker}/${incarnation}/${id}`, ...said }))
    .filter(({ id }) => !isRecorded(store.database, id));
  if (heard.length > 0) {
    const fresh = inTransaction(store.database, () =>
      heard.flatMap(({ id, name, event }) => {
        fault('event:before-record');
        return recordEvent(store.database, { id, worker, incarnation, name, at: now, payload: null }, showable(event), 'applied') ?? [];
      }),
    );
    for (const recorded of fresh) {
      fault('event:after-record');
      noteReport(watch, recorded);
    }
  }
  // Both at once: a record counts as read only when all it said has been taken in.
  protocol.records = { over: channel, taken: channel.dialogue.timesRead };
  noteOwnStatus(watch, channel.live?.activity, now);
}
