import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second (USER_HZ), on every architecture Node runs on. */
const TICK_MS = 10;

/** What a process and the children it has waited for have used so far, in milliseconds. */
export function processorTimeMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may hold anything: the numbers begin after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime, stime, cutime, cstime: fields 14 to 17 of proc(5).
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}
