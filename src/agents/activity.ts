import type { Instant } from '../base/ports.ts';

export const AGENT_ERROR_TYPES = [
  'rate_limit',
  'overloaded',
  'network',
  'auth',
  'billing',
  'invalid_request',
  /** The conversation does not fit into the model's context window. */
  'context_full',
  'tool',
  'api',
  'unknown',
] as const;

export type AgentErrorType = (typeof AGENT_ERROR_TYPES)[number];

/** What an agent is doing now. llmc assesses it in each pass and never stores it. */
export type Activity =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready'; readonly interrupted?: boolean }
  | { readonly kind: 'processing'; readonly detail?: 'retrying' | 'stalled' | 'background' | 'compacting' }
  | {
      readonly kind: 'awaiting_question';
      /** `unread`: llmc knows neither the choices nor the keys of this dialog. */
      readonly questionType: 'multiple_choice' | 'yes_no' | 'free_text' | 'startup' | 'unread';
      readonly question: string;
      readonly choices: readonly string[];
      /** An answer may name several choices. */
      readonly several?: true;
      /** The CLI is not logged in, and this dialog is how a person logs it in. */
      readonly login?: true;
      /** No rule names this dialog: a person should read its screen. */
      readonly unfamiliar?: true;
    }
  | {
      readonly kind: 'awaiting_permission';
      readonly tool: string;
      /** What the tool would do: a command line, a file, an address; left out where the question says it. */
      readonly command?: string;
      readonly question: string;
      readonly choices: readonly string[];
    }
  | { readonly kind: 'waiting_limit'; readonly resetsAt: Instant | null; readonly continuesByItself: boolean }
  | { readonly kind: 'error'; readonly type: AgentErrorType; readonly recoverable: boolean; readonly message: string }
  | {
      readonly kind: 'exited';
      /** `not_found`: the session is gone, and nothing says how the process ended. */
      readonly how: 'user' | 'crash' | 'not_found' | 'unknown';
      readonly status: number | null;
      readonly signal: string | null;
    }
  /** `stopped`: a signal stopped this process, and it does nothing until it is continued. `opened`: what covers the input box. */
  | { readonly kind: 'unknown'; readonly stopped?: { readonly pid: number }; readonly opened?: OpenView };

/** What covers the input box and takes the keys; mostly a person opened it. */
export interface OpenView {
  /** `suspended`: with Ctrl+Z; only SIGCONT ends it, because no shell is behind the agent. */
  readonly what: 'menu' | 'transcript' | 'shell_mode' | 'suspended';
  readonly title: string;
  /** The key that closes it, as a person reads it. */
  readonly key: string;
  /** What it asks if the agent opened it: the screen alone does not show who did. */
  readonly asks?: Dialog;
}

export type ActivityKind = Activity['kind'];

export type EvidenceSource = 'process' | 'hook' | 'status_file' | 'protocol' | 'screen' | 'git' | 'timing' | 'none';

/** The assessed activity, with the evidence that decided it. */
export interface Assessment {
  readonly activity: Activity;
  readonly source: EvidenceSource;
  /** 0 to 1. */
  readonly confidence: number;
  /** The rule that applied, as `llmc why` prints it. */
  readonly rule: string;
  readonly since: Instant;
}

export type Dialog = Extract<Activity, { kind: 'awaiting_question' | 'awaiting_permission' }>;

export function openDialog(activity: Activity | undefined): Dialog | undefined {
  return activity?.kind === 'awaiting_question' || activity?.kind === 'awaiting_permission' ? activity : undefined;
}

/** Only a person can answer it, in the agent's own terminal. */
export function isUnread(dialog: Dialog): boolean {
  return dialog.kind === 'awaiting_question' && dialog.questionType === 'unread';
}

/** It asks how to log in, which only a person can do. */
export function isLogin(dialog: Dialog): boolean {
  return dialog.kind === 'awaiting_question' && dialog.login === true;
}

export function isAtStartup(dialog: Dialog): boolean {
  return dialog.kind === 'awaiting_question' && dialog.questionType === 'startup';
}

/** Whether the input box accepts a prompt, which it also does after a failed turn and at a usage limit. */
export function standsAtItsPrompt({ kind }: Activity): boolean {
  return kind === 'ready' || kind === 'error' || kind === 'waiting_limit';
}
