import type { Run } from '../model/run.ts';
import type { RunCommit } from './ports.ts';

/** The run as a commit stores it: a checkpoint counts from the moment it is written. */
export function savedRun({ decision: { run, records }, at }: Pick<RunCommit, 'decision' | 'at'>): Run {
  return records.some(({ kind }) => kind === 'checkpoint') ? { ...run, checkpointMs: at } : run;
}
