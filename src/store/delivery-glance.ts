import type { Database } from './database.ts';

export interface DeliveryGlance {
  readonly id: string;
  readonly state: string;
  readonly attempt: number;
  /** Why it is held or failed. */
  readonly reason: string | null;
}

/** How a worker's latest delivery stands; no more than a status line needs, so that `llmc status` loads no schema. */
export function glanceDelivery(database: Database, worker: string): DeliveryGlance | null {
  const row = database.prepare('SELECT id, state, attempt, reason FROM deliveries WHERE worker = ? ORDER BY seq DESC LIMIT 1').get(worker);
  if (row === undefined) return null;
  return {
    id: String(row.id),
    state: String(row.state),
    attempt: Number(row.attempt),
    reason: row.reason === null ? null : String(row.reason),
  };
}
