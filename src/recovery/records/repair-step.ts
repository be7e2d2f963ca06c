import { z } from 'zod';

/**
 * One repair as data. It names what is broken, not what to write: its executor looks again before it acts, so a repair that was
 * decided some time ago, or twice, changes nothing more.
 */
export const repairStepSchema = z.discriminatedUnion('kind', [
  /** The records of the workers that contradict each other. Opening the root repairs state.json and llmc.db before. */
  z.object({ kind: z.literal('state') }),
  /** Files that other users can read. */
  z.object({ kind: z.literal('access') }),
  /** Settings and files in the root's clone, and the files that connect worktrees with it. */
  z.object({ kind: z.literal('connections') }),
  /** A missing worktree. */
  z.object({ kind: z.literal('worktree'), worker: z.string() }),
  /** A worktree that does not fit its idle worker: saved as a rescue, then reset. */
  z.object({ kind: z.literal('reset'), worker: z.string() }),
  /** A branch without a worker: saved as a rescue, then deleted. */
  z.object({ kind: z.literal('branch'), branch: z.string() }),
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
}
