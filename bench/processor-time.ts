import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second (USER_HZ), on every architecture Node runs on. */
const TICK_MS = 10;

/** The processor time that a process and its reaped children have used so far, in milliseconds. */
export function processorTimeMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The process name, in brackets, can contain any character: the numbers begin after the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime, stime, cutime, cstime: fields 14 to 17 of proc(5).
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}

/** The processor time of the threads that a process has, in milliseconds, without its children. The kernel counts it in nanoseconds. */
export function threadTimeMs(pid: number): number {
  const spent = (thread: string) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + spent(thread) / 1e6, 0);
}
