import type { PatrolFinding, PatrolKind } from './decide-patrol.ts';

const WORDS: Readonly<Record<PatrolKind, (workers: string) => string>> = {
  session_missing: (workers) => `started the missing session of ${workers}`,
  session_restored: (workers) => `took over the session of ${workers}`,
  turn_over: (workers) => `noticed that ${workers} had finished`,
  rebased: (workers) => `rebased ${workers}`,
  not_refreshed: (workers) => `could not refresh ${workers}`,
  stuck: (workers) => `no progress of ${workers}`,
  not_checked: (workers) => `could not check ${workers}`,
};

/** The report of one round, in one line. */
export function patrolText(findings: readonly PatrolFinding[]): string {
  if (findings.length === 0) return 'nothing to do';
  return findings.map(({ kind, workers }) => WORDS[kind](workers.join(', '))).join('; ');
}
