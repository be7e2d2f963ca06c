import { readTextIfThere } from '../../../system/files/files.ts';

/** How often the agents of each role began a task. */
export type TaskCounts = Readonly<Record<string, number>>;

/** The developer and the reviewer begin twice, because the first review asks for changes. */
export const EXPECTED: TaskCounts = { researcher: 1, developer: 2, reviewer: 2 };

/** Counts in what the agents recorded themselves. A last line without its end is still being written. */
export function countTasks(record: string): TaskCounts {
  const counts: Record<string, number> = {};
  for (const line of record.split('\n').slice(0, -1)) {
    const { worker, event }: { readonly worker: string; readonly event: string } = JSON.parse(line);
    const role = worker.split('-').at(-1) ?? worker;
    if (event === 'began') counts[role] = (counts[role] ?? 0) + 1;
  }
  return counts;
}

/** The counts so far; nothing before the first agent has begun. */
export function readTasks(record: string): TaskCounts {
  return countTasks(readTextIfThere(record) ?? '');
}

/** Whether each role began exactly as many tasks as the workflow asks for. */
export function isAsExpected(counts: TaskCounts): boolean {
  const roles = new Set([...Object.keys(counts), ...Object.keys(EXPECTED)]);
  return [...roles].every((role) => counts[role] === EXPECTED[role]);
}
