import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { removeTree, writePrivate } from '../../system/files/files.ts';
import { readNoFollow } from '../../system/files/no-follow.ts';
import { objectName } from '../rescue/rescue-record.ts';

const recordSchema = z.object({
  /** Who brings the rebase to its end. One of llmc that is still there after a crash is aborted. */
  endedBy: z.enum(['llmc']),
  /** The worker's commit when it began. */
  from: objectName,
  onto: objectName,
  /** What stands for `onto` if main was rewritten. */
  after: objectName.optional(),
  /** Whether the work has merges, whose own changes the rebase leaves out: see `keepMerges`. */
  merges: z.boolean(),
});

/** A rebase that llmc began in a worktree. It is on disk from before the first step until after the last one. */
export type RebaseRecord = Readonly<z.infer<typeof recordSchema>>;

const LONGEST_RECORD = 10_000;

/** Outside the worktree and its git folder. */
const recordFile = (worktree: string): string => join(dirname(dirname(worktree)), 'run', 'rebases', `${basename(worktree)}.json`);

export function writeRebaseRecord(worktree: string, record: RebaseRecord): void {
  writePrivate(recordFile(worktree), JSON.stringify(record));
}

export function dropRebaseRecord(worktree: string): void {
  removeTree(recordFile(worktree));
}

/** Undefined without a record, and for one that a crash cut short: it is written before the rebase begins. */
export function readRebaseRecord(worktree: string): RebaseRecord | undefined {
  const text = readNoFollow(recordFile(worktree), LONGEST_RECORD);
  if (text === undefined) return undefined;
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
