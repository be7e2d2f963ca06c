import { fault } from '../../base/fault.ts';
import type { Clock } from '../../base/ports.ts';
import { inTransaction } from '../../store/database.ts';
import { isRecorded, recordEvent } from '../../store/events.ts';
import type { Store } from '../../store/store.ts';
import { showable } from './ingest.ts';
import type { ProtocolSession } from './protocol-session.ts';
import { addReport } from './reported.ts';
import { noteLive, type Watch } from './watch.ts';

/**
 * Takes in what the agent said since the last pass. A record that is read again tells what was heard before under the
 * same ids, and that is kept once; a new life of the agent hears it anew and so knows what its conversation holds.
 */
export function readProtocolEvents(store: Store, clock: Clock, watch: Watch, protocol: ProtocolSession): void {
  const { channel } = protocol;
  if (channel === undefined) return;
  const now = clock.now();
  const { name: worker, incarnation } = watch;
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
      watch.memory = addReport(watch.memory, recorded);
    }
  }
  // Both at once: a record counts as read only when all it told has been taken in.
  protocol.recordsTaken = channel.dialogue.timesRead;
  watch.progressAt = Math.max(watch.progressAt, channel.receivedAt ?? 0);
  noteLive(watch, channel.live?.activity, now);
}
