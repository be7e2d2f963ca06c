import { pastTime } from '../../base/clock-time.ts';
import { sentence } from '../../base/sentence.ts';
import type { TamperingReport } from '../../supervisor/report/status-report.ts';

/** What llmc put back has no effect any more, but a person who reviews the work of that agent should know. */
export function tamperingLine({ times, last_unix, worker, last }: TamperingReport, now: number): string {
  const who = worker === null ? 'An agent' : `The agent of ${worker}`;
  const more = times === 1 ? '' : ` There were ${times} such changes within a day.`;
  return `${who} changed what llmc wrote into a repository (${pastTime(last_unix * 1_000, now)}): ${sentence(last)}${more} All of them: llmc logs`;
}
