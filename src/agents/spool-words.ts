import { AGENT_ERROR_TYPES, type AgentErrorType } from './activity.ts';
import type { AgentEvent, SpoolEvent } from './events.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A person has to act on these; waiting does not help. */
const FINAL: readonly AgentErrorType[] = ['auth', 'billing', 'invalid_request', 'context_full'];
const SOURCES = ['startup', 'resume', 'clear'] as const;
const IGNORED: AgentEvent = { kind: 'ignored' };

/**
 * Translates llmc's own event names, which the demo agent and the hooks of declared agents use.
 * Ignores all other events, because any program can write files into the spool.
 */
export function translateSpoolWords({ name, payload }: SpoolEvent): AgentEvent {
  if (typeof payload !== 'object' || payload === null) return IGNORED;
  const fields: Fields = { ...payload };
  const { prompt, tool, question } = fields;
  switch (name) {
    case 'session_start':
      return {
        kind: 'session_started',
        conversationId: typeof fields.session_id === 'string' ? fields.session_id : null,
        source: SOURCES.find((source) => source === fields.source) ?? 'startup',
      };
    case 'ready':
      return { kind: 'ready' };
    case 'prompt_submit':
      return typeof prompt === 'string' ? { kind: 'prompt_accepted', text: prompt } : IGNORED;
    case 'tool_start':
      return typeof tool === 'string' ? { kind: 'tool_started', tool } : IGNORED;
    case 'tool_end':
      return typeof tool === 'string' ? { kind: 'tool_finished', tool } : IGNORED;
    case 'question':
      return typeof question === 'string' ? { kind: 'question_opened', question, choices: toTexts(fields.choices) } : IGNORED;
    case 'permission':
      if (typeof question !== 'string' || typeof tool !== 'string') return IGNORED;
      return {
        kind: 'permission_opened',
        tool,
        question,
        choices: toTexts(fields.choices),
        ...(typeof fields.command === 'string' && { command: fields.command }),
      };
    case 'dialog_closed':
      return { kind: 'dialog_closed' };
    case 'stop':
      // The agent runs queued prompts of a person without a new prompt_submit, so the work is not over.
      return {
        kind: 'turn_ended',
        message: toText(fields.message),
        backgroundTasks: typeof fields.queued === 'number' ? fields.queued : 0,
      };
    case 'stop_failure':
      return failure(fields);
    case 'session_end':
      return { kind: 'session_ended', reason: toText(fields.reason) };
    default:
      return IGNORED;
  }
}

export function errorType(text: unknown): AgentErrorType {
  return AGENT_ERROR_TYPES.find((known) => known === text) ?? 'unknown';
}

export function isRecoverable(type: AgentErrorType): boolean {
  return !FINAL.includes(type);
}

function failure(fields: Fields): AgentEvent {
  const type = errorType(fields.type);
  const resetsAt = typeof fields.resets_at === 'number' ? fields.resets_at : null;
  return { kind: 'turn_failed', type, recoverable: isRecoverable(type), message: toText(fields.message), resetsAt };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
