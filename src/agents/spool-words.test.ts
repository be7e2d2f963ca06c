import { describe, expect, test } from 'vitest';
import { translateSpoolWords } from './spool-words.ts';

const translate = (name: string, payload: unknown) =>
  translateSpoolWords({ id: 'x', worker: 'adam', incarnation: 1, name, at: 0, payload });

describe('an event with one of llmc’s own names', () => {
  test.for([
    ['session_start', { session_id: 'a', source: 'resume' }, { kind: 'session_started', conversationId: 'a', source: 'resume' }],
    ['session_start', { source: 'odd' }, { kind: 'session_started', conversationId: null, source: 'startup' }],
    ['ready', {}, { kind: 'ready' }],
    ['prompt_submit', { prompt: 'hi' }, { kind: 'prompt_accepted', text: 'hi' }],
    ['tool_start', { tool: 'Bash' }, { kind: 'tool_started', tool: 'Bash' }],
    ['tool_end', { tool: 'Bash' }, { kind: 'tool_finished', tool: 'Bash' }],
    ['question', { question: 'Q', choices: ['A', 1] }, { kind: 'question_opened', question: 'Q', choices: ['A'] }],
    [
      'permission',
      { tool: 'Bash', question: 'Q', choices: ['Yes'] },
      { kind: 'permission_opened', tool: 'Bash', question: 'Q', choices: ['Yes'] },
    ],
    ['dialog_closed', {}, { kind: 'dialog_closed' }],
    ['stop', { message: 'done', queued: 2 }, { kind: 'turn_ended', message: 'done', backgroundTasks: 2 }],
    [
      'stop_failure',
      { type: 'rate_limit', message: 'm', resets_at: 9 },
      { kind: 'turn_failed', type: 'rate_limit', recoverable: true, message: 'm', resetsAt: 9 },
    ],
    ['stop_failure', { type: 'auth' }, { kind: 'turn_failed', type: 'auth', recoverable: false, message: '', resetsAt: null }],
    ['stop_failure', { type: 'new' }, { kind: 'turn_failed', type: 'unknown', recoverable: true, message: '', resetsAt: null }],
    ['session_end', { reason: 'clear' }, { kind: 'session_ended', reason: 'clear' }],
  ] as const)('%s %j is translated', ([name, payload, event]) => {
    expect(translate(name, payload)).toEqual(event);
  });

  test.for([
    ['party', {}],
    ['ready', null],
    ['ready', 'text'],
    ['prompt_submit', {}],
    ['prompt_submit', { prompt: 3 }],
    ['question', { choices: [] }],
    ['permission', { question: 'Q' }],
    ['tool_start', []],
  ] as const)('%s %j is garbage and ignored', ([name, payload]) => {
    expect(translate(name, payload)).toEqual({ kind: 'ignored' });
  });
});
