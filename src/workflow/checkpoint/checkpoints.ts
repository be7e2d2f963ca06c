import type { CheckpointSummary } from '../store/ports.ts';
import type { StoredRunState } from '../store/run-schema.ts';

export interface Checkpoint extends CheckpointSummary {
  /** Null: what is stored does not match its hash, or cannot be a run. */
  readonly state: StoredRunState | null;
  readonly createdBy: 'auto' | 'manual' | 'error';
  readonly snapshot: CheckpointSnapshot;
}

/** What a person reads in it; a recovery needs the state alone. Null: the column is damaged. The names are part of the contract of `--json`. */
export interface CheckpointSnapshot {
  /** Each role: its agent, what it does, its last task, its messages and when something of it last happened. */
  readonly agents: unknown;
  /** Inboxes and outboxes by role. */
  readonly messages: unknown;
  readonly processed_messages: unknown;
  readonly errors: unknown;
  readonly recovery_attempts: unknown;
}

/** The stored checkpoints of runs, with what they hold. Runs write them with their commits. */
export interface Checkpoints {
  /** The newest first. */
  list(run: string): Promise<readonly Checkpoint[]>;
}
