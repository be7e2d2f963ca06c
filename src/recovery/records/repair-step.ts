import { z } from 'zod';
import type { Instant } from '../../base/ports.ts';

/**
 * One repair as data. It names what is broken, not what to write: its executor looks again before it acts, so a repair that was
 * decided some time ago, or twice, changes nothing more.
 */
export const repairStepSchema = z.discriminatedUnion('kind', [
  /** The records of the workers that contradict each other. Opening the root repairs state.json and llmc.db before. */
  z.object({ kind: z.literal('state') }),
  /** Files in the place of llmc's folders, folders in the place of its files, and what is closed to its own user. */
  z.object({ kind: z.literal('places') }),
  /** A database that a newer llmc wrote: kept under another name, then the newest copy that this llmc can read. */
  z.object({ kind: z.literal('newer_database') }),
  /** A file that only its person can correct. */
  z.object({ kind: z.literal('edit'), path: z.string() }),
  /** Files that other users can read. */
  z.object({ kind: z.literal('access') }),
  /** Settings and files in the root's clone, and the files that connect worktrees with it. */
  z.object({ kind: z.literal('connections') }),
  /** Refs and objects of the root that git cannot read. */
  z.object({ kind: z.literal('repository') }),
  /** A HEAD, a branch or an index of a worker that names nothing, or a commit that is gone. */
  z.object({ kind: z.literal('worker_git'), worker: z.string() }),
  /** A missing worktree. */
  z.object({ kind: z.literal('worktree'), worker: z.string() }),
  /** A worktree that does not fit its idle worker: saved as a rescue, then reset. */
  z.object({ kind: z.literal('reset'), worker: z.string() }),
  /** A branch without a worker, at the commit that was shown: saved as a rescue, then deleted. */
  z.object({ kind: z.literal('branch'), branch: z.string(), tip: z.string() }),
  /** A tmux session without a worker. */
  z.object({ kind: z.literal('session'), session: z.string() }),
  /** Locks of git that are too old to have an owner. */
  z.object({ kind: z.literal('git_locks') }),
  /** The files through which an agent reports. */
  z.object({ kind: z.literal('hooks'), worker: z.string() }),
  /** The sockets of a supervisor and of a tmux server that were killed. */
  z.object({ kind: z.literal('sockets') }),
]);

export type RepairStep = z.infer<typeof repairStepSchema>;

/** What a check offers to do about its finding. */
export interface Repair {
  readonly title: string;
  /** What will be done, in one sentence. */
  readonly does: string;
  /** Whether it ends nothing and removes nothing that a person may want to look at first. */
  readonly safe: boolean;
  readonly step: RepairStep;
  /** The copy that takes the place of what is broken. */
  readonly copy?: RepairCopy;
}

export interface RepairCopy {
  readonly path: string;
  /** When it was made. */
  readonly at: Instant;
  /** What the copy does not have. */
  readonly loses: string;
}
