import type { PatrolFinding } from '../../recovery/decide-patrol.ts';
import { patrolText } from '../../recovery/patrol-text.ts';
import type { Database } from '../../store/database.ts';
import { lastPatrol } from '../../store/tables/patrols.ts';

export interface PatrolReport {
  /** When the last round ended. */
  readonly last_ms: number;
  /** The first of the rounds in a row that found the same. */
  readonly since_ms: number;
  readonly rounds: number;
  readonly took_ms: number;
  readonly findings: readonly PatrolFinding[];
  readonly summary: string;
}

/** The last round of the patrol, for `llmc why`; null before the first. */
export function patrolReport(database: Database): PatrolReport | null {
  const row = lastPatrol(database);
  if (row === undefined) return null;
  const findings: readonly PatrolFinding[] = JSON.parse(row.findings);
  const { firstAt, lastAt, rounds, tookMs } = row;
  return { last_ms: lastAt, since_ms: firstAt, rounds, took_ms: tookMs, findings, summary: patrolText(findings) };
}
