import { clockTime } from '../../base/clock-time.ts';
import type { FailingServiceReport } from '../../supervisor/report/status-report.ts';

export function serviceLine({ account, failures, until_unix }: FailingServiceReport, now: number): string {
  return `the service of ${account} has failed ${failures} times in a row: new work of runs goes to fallback agents, one more try at ${clockTime(until_unix * 1_000, now)}`;
}
