import type { TriedOut } from '../../doctor/canary/try-out.ts';

const VERDICTS = { passed: 'ok', failed: 'warning', not_tried: '–' } as const;

/** The canary of one agent as text: a heading, then a line per check. */
export function canaryText({ agent, version, outcome, why, way, checks }: TriedOut): string {
  const subject = `canary  ${agent}${version === null ? '' : ` ${version}`}${way === null ? '' : `, ${way} channel`}`;
  if (outcome === 'not_run') return `${subject}: did not run\n        → ${why}`;
  const seconds = checks.reduce((sum, { took_ms }) => sum + took_ms, 0) / 1_000;
  const heading = `${subject}: ${outcome}${outcome === 'passed' ? ` in ${seconds.toFixed(1)} s` : '; llmc still uses it'}`;
  const lines = checks.map(({ name, verdict, evidence, means }) =>
    [`  ${VERDICTS[verdict].padEnd(7)} ${name}: ${evidence}`, ...(means === null ? [] : [`          → ${means}`])].join('\n'),
  );
  return [heading, ...lines].join('\n');
}
