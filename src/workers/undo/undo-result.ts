import type { Worker } from '../../store/state.ts';
import type { UndoKind } from '../../store/tables/undos.ts';

/** Whether the agent is in the conversation of the work again. `lost`: it cannot resume it. */
export type ConversationBack = 'kept' | 'resumed' | 'lost';

export interface UndoResult {
  /** The id of the accept. */
  readonly landing: string;
  readonly worker: string;
  /** Where it had landed. */
  readonly branch: string;
  /** The commit that the accept put there. */
  readonly commit: string;
  readonly subject: string;
  readonly kind: UndoKind;
  readonly outcome: 'undone' | 'already_undone' | 'planned';
  /** The commit that reverts it; null if main was moved back. */
  readonly revert: string | null;
  /** The worker's status now; null if the worker is gone. */
  readonly status: Worker['status'] | null;
  /** Null where the worker gets nothing back. */
  readonly conversation: ConversationBack | null;
}

/** How an undo ended. */
export interface Undone {
  /** What main is now. */
  readonly main: string;
  readonly made: string | null;
  readonly conversation: ConversationBack | null;
}
