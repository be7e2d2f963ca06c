import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOOK_EVENTS } from './hooks.ts';
import { translate } from './translate.ts';

const event = (name: string, payload: unknown) => translate({ id: 'e', worker: 'adam', incarnation: 1, name, at: 0, payload });
const asked = {
  questions: [{ question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }, { question: 'Second?' }],
};

describe('hook events', () => {
  test.each<[string, object, object]>([
    ['SessionStart', { session_id: 'abc', source: 'startup' }, { kind: 'session_started', conversationId: 'abc', source: 'startup' }],
    ['SessionStart', { session_id: 'abc', source: 'clear' }, { kind: 'session_started', conversationId: 'abc', source: 'clear' }],
    ['UserPromptSubmit', { prompt: 'hello\nthere' }, { kind: 'prompt_accepted', text: 'hello\nthere' }],
    ['PreToolUse', { tool_name: 'Bash' }, { kind: 'tool_started', tool: 'Bash' }],
    ['PostToolUse', { tool_name: 'Bash' }, { kind: 'tool_finished', tool: 'Bash' }],
    [
      'PermissionRequest',
      { tool_name: 'Bash', tool_input: { command: 'touch /x' } },
      { kind: 'permission_opened', tool: 'Bash', command: 'touch /x', question: 'Do you want to proceed?', choices: [] },
    ],
    [
      'PermissionRequest',
      { tool_name: 'mcp__x' },
      { kind: 'permission_opened', tool: 'mcp__x', question: 'May Codex use mcp__x?', choices: [] },
    ],
    [
      'PreToolUse',
      { tool_name: 'request_user_input', tool_input: asked },
      { kind: 'question_opened', question: 'Which database?', choices: ['Postgres', 'SQLite'] },
    ],
    ['PreToolUse', { tool_name: 'request_user_input' }, { kind: 'tool_started', tool: 'request_user_input' }],
    ['PostToolUse', { tool_name: 'request_user_input' }, { kind: 'dialog_closed' }],
    ['Stop', { last_assistant_message: 'OK.' }, { kind: 'turn_ended', message: 'OK.', backgroundTasks: 0 }],
    ['Stop', { last_assistant_message: null }, { kind: 'turn_ended', message: '', backgroundTasks: 0 }],
    ['Interrupt', {}, { kind: 'ready' }],
    ['SessionEnd', { reason: 'exit' }, { kind: 'session_ended', reason: 'exit' }],
    ['PreCompact', {}, { kind: 'ignored' }],
  ])('%s %j', (name, payload, expected) => {
    expect(event(name, payload)).toEqual(expected);
  });

  test('garbage is ignored or read as empty, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...HOOK_EVENTS, 'constructor', '__proto__'), fc.string()), fc.jsonValue(), (name, payload) => {
        expect(event(name, payload)).toHaveProperty('kind');
      }),
    );
  });
});
