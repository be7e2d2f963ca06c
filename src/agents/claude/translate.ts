import type { AgentEvent, SpoolEvent } from '../events.ts';
import { judgeClaudeFailure } from './errors.ts';
import { firstQuestion, type HookPayload, hookPayload } from './payload.ts';
import { parseResetTime } from './reset-time.ts';

/** Tools that only open a dialog, so their end is the end of the dialog. */
const DIALOG_TOOLS = ['AskUserQuestion', 'ExitPlanMode'];

export const COMPACT_COMMAND = '/compact';

type Reader = (payload: HookPayload, event: SpoolEvent) => AgentEvent;

/**
 * Translates one hook event of Claude Code 2.1.325. Claude Code also reports its own prompts (`<task-notification>`, the end of a
 * usage limit) as accepted: their text matches no delivery, but the agent is working.
 */
const READERS: Readonly<Record<string, Reader>> = {
  SessionStart: ({ session_id, source }) => ({ kind: 'session_started', conversationId: session_id, source: startSource(source) }),
  UserPromptSubmit: ({ prompt }) => ({ kind: 'prompt_accepted', text: prompt }),
  PreToolUse: ({ tool_name }) => ({ kind: 'tool_started', tool: tool_name }),
  PostToolUse: toolEnded,
  PostToolUseFailure: toolEnded,
  PermissionRequest: dialogOpened,
  Elicitation: ({ message }) => ({ kind: 'question_opened', question: message || 'An MCP server asks for input.', choices: [] }),
  ElicitationResult: () => ({ kind: 'dialog_closed' }),
  // The command of a person or of llmc, which Claude Code does not report as a prompt. It is also reported when there is nothing to compact.
  PreCompact: ({ trigger }) => (trigger === 'manual' ? { kind: 'prompt_accepted', text: COMPACT_COMMAND } : { kind: 'ignored' }),
  // This kind comes a minute after the end of a turn. The other kinds repeat earlier events.
  Notification: ({ notification_type }) => (notification_type === 'idle_prompt' ? { kind: 'ready' } : { kind: 'ignored' }),
  Stop: ({ last_assistant_message, background_tasks }) => ({
    kind: 'turn_ended',
    message: last_assistant_message,
    backgroundTasks: background_tasks.filter(({ status }) => status === '' || status === 'running').length,
  }),
  StopFailure: turnFailed,
  SessionEnd: ({ reason }) => ({ kind: 'session_ended', reason }),
};

export function translate(event: SpoolEvent): AgentEvent {
  const payload = hookPayload.safeParse(event.payload);
  const read = Object.hasOwn(READERS, event.name) ? READERS[event.name] : undefined;
  return payload.success && read !== undefined ? read(payload.data, event) : { kind: 'ignored' };
}

function startSource(source: string): Extract<AgentEvent, { kind: 'session_started' }>['source'] {
  return source === 'resume' || source === 'clear' || source === 'compact' || source === 'fork' ? source : 'startup';
}

function toolEnded({ tool_name }: HookPayload): AgentEvent {
  return DIALOG_TOOLS.includes(tool_name) ? { kind: 'dialog_closed' } : { kind: 'tool_finished', tool: tool_name };
}

function dialogOpened({ tool_name, tool_input }: HookPayload): AgentEvent {
  const question = tool_name === 'AskUserQuestion' ? firstQuestion(tool_input) : undefined;
  if (question !== undefined) return { kind: 'question_opened', ...question };
  // The payload does not have the rows of the dialog; the screen has them.
  const command = findSubject(tool_input);
  return command === undefined
    ? { kind: 'permission_opened', tool: tool_name, question: `May Claude use ${tool_name}?`, choices: [] }
    : { kind: 'permission_opened', tool: tool_name, command, question: 'Do you want to proceed?', choices: [] };
}

function findSubject(input: HookPayload['tool_input']): string | undefined {
  return ['command', 'file_path', 'url', 'path', 'pattern', 'query'].map((key) => input[key]).find((value) => typeof value === 'string');
}

function turnFailed({ error, error_details, last_assistant_message }: HookPayload, { at }: SpoolEvent): AgentEvent {
  const message = last_assistant_message || error_details || error;
  // At the end of the last line. Only a short piece: an expression that looks for the end takes the square of the length.
  const resets = /\bresets (?:at )?(.+)$/.exec(message.slice(-200).trimEnd())?.[1];
  return {
    kind: 'turn_failed',
    ...judgeClaudeFailure(error, message),
    message,
    resetsAt: resets === undefined ? null : (parseResetTime(resets, at) ?? null),
  };
}
