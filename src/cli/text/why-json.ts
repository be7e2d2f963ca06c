import type { WhyReport } from '../../supervisor/report/why-report.ts';

/** The report with the key names of all JSON output: snake_case, and times with their unit. */
export function whyJson(report: WhyReport): unknown {
  return named({ ...report, deliveries: report.deliveries.map((row) => ({ ...row, changes: JSON.parse(row.changes) })) });
}

function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toFieldName(key), named(inner)]));
}

const MOMENTS: readonly string[] = ['at', 'since', 'stalled_since', 'resets_at'];

function toFieldName(key: string): string {
  const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return MOMENTS.includes(snake) ? `${snake}_ms` : snake;
}
