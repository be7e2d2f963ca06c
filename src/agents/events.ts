import type { Instant } from '../base/ports.ts';
import type { AgentErrorType } from './activity.ts';

/** An event file from the spool, before the adapter translates it. */
export interface SpoolEvent {
  /** Unique per file, so that llmc records an event only once. */
  readonly id: string;
  readonly worker: string;
  readonly incarnation: number;
  readonly name: string;
  readonly at: Instant;
  /** The agent's own payload, parsed from JSON. */
  readonly payload: unknown;
}

/** A translated event, the same for all agents. */
export type AgentEvent =
  | {
      readonly kind: 'session_started';
      readonly conversationId: string | null;
      readonly source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
    }
  | { readonly kind: 'ready' }
  /** `id`: llmc's own id of the prompt, if the agent returns it. */
  | { readonly kind: 'prompt_accepted'; readonly text: string; readonly id?: string }
  | { readonly kind: 'tool_started'; readonly tool: string }
  | { readonly kind: 'tool_finished'; readonly tool: string }
  | { readonly kind: 'question_opened'; readonly question: string; readonly choices: readonly string[]; readonly several?: true }
  | {
      readonly kind: 'permission_opened';
      readonly tool: string;
      /** What the tool would do; left out where the question says it. */
      readonly command?: string;
      readonly question: string;
      readonly choices: readonly string[];
    }
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
