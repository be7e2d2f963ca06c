import { z } from 'zod';
import type { AgentEvent, SpoolEvent } from '../events.ts';

const text = z.string().catch('');

/** The hook payload of Codex, as far as llmc reads it. Values of another shape read as empty. */
const hookPayload = z.object({
  session_id: z.string().nullable().catch(null),
  source: text,
  prompt: text,
  tool_name: text,
  tool_input: z.record(z.string(), z.unknown()).catch({}),
  last_assistant_message: text,
  reason: text,
});

type HookPayload = z.infer<typeof hookPayload>;

const question = z.object({ question: z.string(), options: z.array(z.object({ label: z.string() })).catch([]) });

/** The tool that only opens a dialog: the end of the tool is the end of the dialog. */
const QUESTION_TOOL = 'request_user_input';

/**
 * Translates one hook event of Codex 0.166.0. A conversation reports its start only with its first prompt. A turn
 * that fails reports nothing: only the screen shows it.
 */
const READERS: Readonly<Record<string, (payload: HookPayload) => AgentEvent>> = {
  SessionStart: ({ session_id, source }) => ({ kind: 'session_started', conversationId: session_id, source: startSource(source) }),
  UserPromptSubmit: ({ prompt }) => ({ kind: 'prompt_accepted', text: prompt }),
  PreToolUse: toolStarted,
  PostToolUse: ({ tool_name }) => (tool_name === QUESTION_TOOL ? { kind: 'dialog_closed' } : { kind: 'tool_finished', tool: tool_name }),
  // The payload does not have the rows of the dialog: the screen has them.
  PermissionRequest: permissionOpened,
  Stop: ({ last_assistant_message }) => ({ kind: 'turn_ended', message: last_assistant_message, backgroundTasks: 0 }),
  Interrupt: () => ({ kind: 'ready' }),
  SessionEnd: ({ reason }) => ({ kind: 'session_ended', reason }),
};

export function translate(event: SpoolEvent): AgentEvent {
  const payload = hookPayload.safeParse(event.payload);
  const read = Object.hasOwn(READERS, event.name) ? READERS[event.name] : undefined;
  return payload.success && read !== undefined ? read(payload.data) : { kind: 'ignored' };
}

function startSource(source: string): Extract<AgentEvent, { kind: 'session_started' }>['source'] {
  return source === 'resume' || source === 'clear' || source === 'compact' || source === 'fork' ? source : 'startup';
}

function toolStarted({ tool_name, tool_input }: HookPayload): AgentEvent {
  if (tool_name !== QUESTION_TOOL) return { kind: 'tool_started', tool: tool_name };
  // The first of the questions asked at once: the screen shows the others one after the other.
  const first = z.array(question).min(1).safeParse(tool_input['questions']).data?.[0];
  // Outside of Plan mode Codex refuses the tool at once and asks nothing: only the screen shows it.
  return first === undefined
    ? { kind: 'tool_started', tool: tool_name }
    : { kind: 'question_opened', question: first.question, choices: first.options.map(({ label }) => label) };
}

function permissionOpened({ tool_name: tool, tool_input: { command } }: HookPayload): AgentEvent {
  return typeof command === 'string'
    ? { kind: 'permission_opened', tool, command, question: 'Do you want to proceed?', choices: [] }
    : { kind: 'permission_opened', tool, question: `May Codex use ${tool}?`, choices: [] };
}
