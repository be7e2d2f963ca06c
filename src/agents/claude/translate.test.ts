import { describe, expect, test } from 'vitest';
import type { SpoolEvent } from '../events.ts';
import { translate } from './translate.ts';

const AT = Date.parse('2026-11-15T03:03:00Z');

function event(name: string, payload: unknown): SpoolEvent {
  return { id: '1', worker: 'adam', incarnation: 1, name, at: AT, payload };
}

describe('the course of a turn', () => {
  test.each(['startup', 'resume', 'clear', 'compact', 'fork'])('a session started by %s', (source) => {
    expect(translate(event('SessionStart', { session_id: 's1', source, model: 'm' }))).toEqual({
      kind: 'session_started',
      conversationId: 's1',
      source,
    });
  });

  test('a prompt is accepted with its exact text', () => {
    expect(translate(event('UserPromptSubmit', { prompt: '  a\n\tb ' }))).toEqual({ kind: 'prompt_accepted', text: '  a\n\tb ' });
  });

  test('a prompt that Claude Code created itself is accepted too, and matches no delivery', () => {
    const prompt = '<task-notification>\n<task-id>b7</task-id>\n</task-notification>';
    expect(translate(event('UserPromptSubmit', { prompt }))).toEqual({ kind: 'prompt_accepted', text: prompt });
  });

  test('tools start and finish, also with a failure', () => {
    expect(translate(event('PreToolUse', { tool_name: 'Bash' }))).toEqual({ kind: 'tool_started', tool: 'Bash' });
    expect(translate(event('PostToolUse', { tool_name: 'Bash' }))).toEqual({ kind: 'tool_finished', tool: 'Bash' });
    expect(translate(event('PostToolUseFailure', { tool_name: 'Bash', error: 'x' }))).toEqual({ kind: 'tool_finished', tool: 'Bash' });
  });

  test('a turn ends with its last message and its background tasks', () => {
    const payload = {
      last_assistant_message: 'done',
      background_tasks: [
        { id: 'b', status: 'running' },
        { id: 'c', status: 'completed' },
      ],
    };
    expect(translate(event('Stop', payload))).toEqual({ kind: 'turn_ended', message: 'done', backgroundTasks: 1 });
    expect(translate(event('Stop', {}))).toEqual({ kind: 'turn_ended', message: '', backgroundTasks: 0 });
  });

  test('a minute of idling means ready, other notifications are ignored', () => {
    expect(translate(event('Notification', { notification_type: 'idle_prompt' }))).toEqual({ kind: 'ready' });
    expect(translate(event('Notification', { notification_type: 'permission_prompt' }))).toEqual({ kind: 'ignored' });
  });

  test('the compact command of a person is a prompt, and compaction within a turn is not', () => {
    expect(translate(event('PreCompact', { trigger: 'manual' }))).toEqual({ kind: 'prompt_accepted', text: '/compact' });
    expect(translate(event('PreCompact', { trigger: 'auto' }))).toEqual({ kind: 'ignored' });
  });

  test('a session ends with a reason', () => {
    expect(translate(event('SessionEnd', { reason: 'prompt_input_exit' }))).toEqual({ kind: 'session_ended', reason: 'prompt_input_exit' });
  });
});

describe('dialogs', () => {
  test('a question comes with its choices', () => {
    const questions = [
      { question: 'Which?', header: 'H', multiSelect: false, options: [{ label: 'A', description: 'a' }, { label: 'B' }] },
      { question: 'And?', options: [] },
    ];
    const opened = translate(event('PermissionRequest', { tool_name: 'AskUserQuestion', tool_input: { questions } }));
    expect(opened).toEqual({ kind: 'question_opened', question: 'Which?', choices: ['A', 'B'] });
  });

  test.each([
    ['Bash', { command: 'ls -la' }, { command: 'ls -la', question: 'Do you want to proceed?' }],
    ['Write', { file_path: '/a', content: 'x' }, { command: '/a', question: 'Do you want to proceed?' }],
    ['ExitPlanMode', {}, { question: 'May Claude use ExitPlanMode?' }],
    ['AskUserQuestion', { questions: 'odd' }, { question: 'May Claude use AskUserQuestion?' }],
  ])('%s asks for permission', (tool, input, asked) => {
    expect(translate(event('PermissionRequest', { tool_name: tool, tool_input: input }))).toEqual({
      kind: 'permission_opened',
      tool,
      ...asked,
      choices: [],
    });
  });

  test('tools that only open a dialog close it with their end', () => {
    expect(translate(event('PostToolUse', { tool_name: 'AskUserQuestion' }))).toEqual({ kind: 'dialog_closed' });
    expect(translate(event('PostToolUse', { tool_name: 'ExitPlanMode' }))).toEqual({ kind: 'dialog_closed' });
  });

  test('an MCP server may ask too', () => {
    expect(translate(event('Elicitation', { message: 'Your name?' }))).toEqual({
      kind: 'question_opened',
      question: 'Your name?',
      choices: [],
    });
    expect(translate(event('ElicitationResult', {}))).toEqual({ kind: 'dialog_closed' });
  });
});

describe('failures', () => {
  test.each([
    ['rate_limit', 'API Error: Request rejected (429) · x', 'rate_limit', true],
    ['server_error', 'API Error: 529 Overloaded. This is a server-side issue', 'overloaded', true],
    ['server_error', 'API Error: 500 Internal server error. This is a server-side issue', 'api', true],
    ['server_error', 'API Error: Connection dropped (ECONNRESET).', 'network', true],
    ['overloaded', '', 'overloaded', true],
    ['authentication_failed', 'Invalid API key · Fix external API key', 'auth', false],
    ['billing_error', 'Credit balance is too low', 'billing', false],
    ['invalid_request', 'Prompt is too long', 'context_full', false],
    ['model_not_found', 'There is an issue', 'invalid_request', false],
    ['something_new', 'API Error: 418 short and stout', 'unknown', true],
  ])('%s with %j', (error, message, type, recoverable) => {
    expect(translate(event('StopFailure', { error, last_assistant_message: message }))).toMatchObject({
      kind: 'turn_failed',
      type,
      recoverable,
      resetsAt: null,
    });
  });

  test('a usage limit has the time of its reset', () => {
    const message = "You've hit your 5-hour limit · resets 6:02am (UTC)";
    const failed = translate(event('StopFailure', { error: 'rate_limit', last_assistant_message: message }));
    expect(failed).toEqual({
      kind: 'turn_failed',
      type: 'rate_limit',
      recoverable: true,
      message,
      resetsAt: Date.parse('2026-11-15T06:02:00Z'),
    });
  });
});

describe('unknown input', () => {
  test.each([['SubagentStop'], ['toString'], ['']])('the event %j is ignored', (name) => {
    expect(translate(event(name, {}))).toEqual({ kind: 'ignored' });
  });

  test.each([[null], ['text'], [[]], [42]])('a payload of %j is ignored', (payload) => {
    expect(translate(event('Stop', payload))).toEqual({ kind: 'ignored' });
  });
});

test('a failure with megabytes of text is translated at once', () => {
  const message = `resets ${'resets '.repeat(100_000)}${' '.repeat(1_000_000)}x`;
  const before = process.cpuUsage().user;
  expect(translate(event('StopFailure', { error: 'rate_limit', last_assistant_message: message }))).toMatchObject({ kind: 'turn_failed' });
  // The expression before took the square of the length: hours.
  expect(process.cpuUsage().user - before).toBeLessThan(5_000_000);
});
