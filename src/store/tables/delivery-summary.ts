import { type Database, prepared } from '../database.ts';
import type { DeliveryReason } from './delivery-reason.ts';

export interface DeliverySummary {
  readonly id: string;
  readonly state: string;
  readonly attempt: number;
  /** Why it is held, queued again, failed or over. */
  readonly reason: DeliveryReason | null;
  /** How many prompts are not with the agent yet, this one among them. */
  readonly pending: number;
}

/** Not with the agent yet. */
export const UNSETTLED = "('queued', 'held', 'typed', 'submitted')";

/** The prompt that the worker's next turn waits for, else the latest one. Loads no schema, because `llmc status` must start fast. */
export function deliverySummary(database: Database, worker: string): DeliverySummary | null {
  const pick = (where: string, order: string) =>
    prepared(
      database,
      `SELECT id, state, attempt, reason, (SELECT COUNT(*) FROM deliveries WHERE worker = ?1 AND state IN ${UNSETTLED}) AS pending
           FROM deliveries WHERE worker = ?1 ${where} ORDER BY seq ${order} LIMIT 1`,
    ).get(worker);
  const row = pick(`AND state IN ${UNSETTLED}`, 'ASC') ?? pick('', 'DESC');
  if (row === undefined) return null;
  return {
    id: String(row.id),
    state: String(row.state),
    attempt: Number(row.attempt),
    pending: Number(row.pending),
    reason: row.reason === null ? null : JSON.parse(String(row.reason)),
  };
}

/** The worker with a prompt that has this text and was recorded since then; null without one. */
export function recordedSince(database: Database, text: string, since: number): string | null {
  const row = database
    .prepare('SELECT worker FROM deliveries WHERE created_ms >= ? AND instr(text, ?) > 0 ORDER BY seq DESC LIMIT 1')
    .get(since, text.trim());
  return row === undefined ? null : String(row.worker);
}
