import type { Instant } from '../../base/ports.ts';
import { type Database, prepared } from '../database.ts';

/** Rounds of the patrol that found the same: one row, so that quiet days do not fill the database. */
export interface PatrolRow {
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly rounds: number;
  readonly tookMs: number;
  /** As text: its form belongs to the supervisor. */
  readonly findings: string;
}

/** The last report; undefined before the first round. */
export function lastPatrol(database: Database): PatrolRow | undefined {
  const row = prepared(database, 'SELECT * FROM patrols ORDER BY seq DESC LIMIT 1').get();
  if (row === undefined) return undefined;
  return {
    firstAt: Number(row.first_ms),
    lastAt: Number(row.last_ms),
    rounds: Number(row.rounds),
    tookMs: Number(row.took_ms),
    findings: String(row.findings),
  };
}

const ROWS_KEPT = 1_000;

/** `repeats`: the round found the same as the last one. */
export function recordPatrol(
  database: Database,
  round: Pick<PatrolRow, 'tookMs' | 'findings'> & { readonly at: Instant },
  repeats: boolean,
): void {
  const { at, tookMs, findings } = round;
  if (repeats) {
    prepared(database, 'UPDATE patrols SET last_ms = ?, took_ms = ?, rounds = rounds + 1 WHERE seq = (SELECT max(seq) FROM patrols)').run(
      at,
      tookMs,
    );
    return;
  }
  prepared(database, 'INSERT INTO patrols (first_ms, last_ms, rounds, took_ms, findings) VALUES (?, ?, 1, ?, ?)').run(
    at,
    at,
    tookMs,
    findings,
  );
  prepared(database, 'DELETE FROM patrols WHERE seq <= (SELECT max(seq) FROM patrols) - ?').run(ROWS_KEPT);
}
