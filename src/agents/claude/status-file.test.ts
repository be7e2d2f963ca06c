import { describe, expect, test } from 'vitest';
import { parseStatusFile, statusFile, statusFilePath, toClaudeActivity } from './status-file.ts';

const file = (fields: object) =>
  JSON.stringify({
    pid: 9995,
    sessionId: 's-1',
    cwd: '/home/dev/project',
    procStart: '120192',
    version: '2.1.325',
    kind: 'interactive',
    ...fields,
  });

describe('the status file', () => {
  test('is in the configuration folder of the agent’s own environment', () => {
    expect(statusFilePath({ CLAUDE_CONFIG_DIR: '/x' }, 7)).toBe('/x/sessions/7.json');
    expect(statusFilePath({ HOME: '/home/dev' }, 7)).toBe('/home/dev/.claude/sessions/7.json');
  });

  test.each([
    [{ status: 'idle' }, { kind: 'ready' }],
    [{ status: 'busy' }, { kind: 'processing' }],
    [{ status: 'shell' }, { kind: 'processing', detail: 'background' }],
    [
      { status: 'waiting', waitingFor: 'permission prompt' },
      { kind: 'awaiting_question', questionType: 'unread', question: 'Claude Code waits: permission prompt' },
    ],
    [
      { status: 'waiting', waitingFor: 'input needed' },
      { kind: 'awaiting_question', questionType: 'multiple_choice' },
    ],
    [{ status: 'waiting', waitingFor: 'dialog open' }, { kind: 'unknown' }],
    [{}, { kind: 'starting' }],
    [{ status: 'dreaming' }, { kind: 'unknown' }],
  ])('%j is read as %j', (fields, activity) => {
    expect(statusFile.read(file(fields))).toMatchObject({ activity, conversationId: 's-1' });
  });

  test('names its process', () => {
    expect(parseStatusFile(file({ status: 'idle' }))).toMatchObject({ pid: 9995, procStart: '120192', cwd: '/home/dev/project' });
  });

  test.each(['', '{"pid":9995,"sessionI', '[]', '{"peerToken":"x","procStart":"1"}', 'null'])('%j is not a status', (text) => {
    expect(statusFile.read(text)).toBeUndefined();
  });

  test('waiting without a reason is a question', () => {
    expect(toClaudeActivity({ pid: 1, sessionId: 's', status: 'waiting' }).kind).toBe('awaiting_question');
  });
});
