import type { CheckpointSummary } from '../store/ports.ts';
import type { StoredRunState } from '../store/run-schema.ts';

export interface Checkpoint extends CheckpointSummary {
  /** Null: what is stored does not match its hash, or cannot be a run. */
  readonly state: StoredRunState | null;
}

/** The stored checkpoints of runs, with what they hold. Runs write them with their commits. */
export interface Checkpoints {
  /** The newest first. */
  list(run: string): Promise<readonly Checkpoint[]>;
}
