import { clockTime } from '../../base/clock-time.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { LimitReport } from '../../supervisor/report/status-report.ts';

export function limitLine({ account, until_unix, worker, why }: LimitReport, now: number): string {
  return `usage limit of ${account} until ${clockTime(until_unix * 1_000, now)}, reached by ${worker}: ${why} (bought more? ${commandLine('llmc', 'unpark', account)})`;
}
