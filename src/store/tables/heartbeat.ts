import type { Instant } from '../../base/ports.ts';
import { type Database, inTransaction, prepared } from '../database.ts';

/** The last pass of a supervisor, as it recorded it itself. */
export interface RecordedHeartbeat {
  readonly pid: number;
  readonly at: Instant;
}

export function recordHeartbeat(database: Database, { pid, at }: RecordedHeartbeat): void {
  const sql =
    'INSERT INTO heartbeat (only_row, pid, at_ms) VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET pid = excluded.pid, at_ms = excluded.at_ms';
  inTransaction(database, () => prepared(database, sql).run(pid, at));
}

/** Undefined before the first pass. */
export function lastHeartbeat(database: Database): RecordedHeartbeat | undefined {
  const row = prepared(database, 'SELECT pid, at_ms FROM heartbeat').get();
  return row && { pid: Number(row.pid), at: Number(row.at_ms) };
}
