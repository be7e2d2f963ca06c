import type { Instant } from '../base/ports.ts';
import type { AgentErrorType } from './activity.ts';

/** What a hook dropped into the spool, before the adapter has read it. */
export interface SpoolEvent {
  /** Unique per file: an event seen twice is recorded once. */
  readonly id: string;
  readonly worker: string;
  readonly incarnation: number;
  readonly name: string;
  readonly at: Instant;
  /** The agent's own payload, parsed from JSON. */
  readonly payload: unknown;
}

/** The same fact in words every part of llmc understands. */
export type AgentEvent =
  | {
      readonly kind: 'session_started';
      readonly conversationId: string | null;
      readonly source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
    }
  | { readonly kind: 'ready' }
  /** `id`: llmc's own name for the prompt, where the agent hands it back. */
  | { readonly kind: 'prompt_accepted'; readonly text: string; readonly id?: string }
  | { readonly kind: 'tool_started'; readonly tool: string }
  | { readonly kind: 'tool_finished'; readonly tool: string }
  | { readonly kind: 'question_opened'; readonly question: string; readonly choices: readonly string[] }
  | { readonly kind: 'permission_opened'; readonly tool: string; readonly question: string; readonly choices: readonly string[] }
  | { readonly kind: 'dialog_closed' }
  | { readonly kind: 'turn_ended'; readonly message: string; readonly backgroundTasks: number }
  | {
      readonly kind: 'turn_failed';
      readonly type: AgentErrorType;
      readonly recoverable: boolean;
      readonly message: string;
      readonly resetsAt: Instant | null;
    }
  | { readonly kind: 'session_ended'; readonly reason: string }
  | { readonly kind: 'ignored' };
