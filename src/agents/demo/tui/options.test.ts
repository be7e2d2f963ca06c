import { describe, expect, test } from 'vitest';
import { readOptions } from './options.ts';

describe('the options', () => {
  test('come from flags first, then from the environment', () => {
    const env = { LLMC_DEMO_SCENARIO: '/env.yaml', LLMC_DEMO_TRUST: 'ask', LLMC_WORKER: 'adam', LLMC_DEMO_MISBEHAVE: 'crash' };
    expect(readOptions([], env)).toEqual({
      scenario: '/env.yaml',
      record: undefined,
      conversation: { kind: 'fresh', id: undefined },
      trustDialog: true,
      model: 'demo',
      skipPermissions: false,
      allowedTools: [],
      worker: 'adam',
      misbehave: [{ name: 'crash' }],
    });
    const args = [
      '--scenario',
      '/a.yaml',
      '--record',
      '/tasks.jsonl',
      '--resume',
      'x-1',
      '--model',
      'm',
      '--role-prompt',
      'r',
      '--skip-permissions',
      '--allowed-tools',
      'Bash,Edit',
    ];
    expect(readOptions(args, {})).toMatchObject({
      scenario: '/a.yaml',
      record: '/tasks.jsonl',
      conversation: { kind: 'resume', id: 'x-1' },
      model: 'm',
      skipPermissions: true,
      allowedTools: ['Bash', 'Edit'],
      worker: 'demo',
    });
  });

  test('name a file, so an id cannot lead elsewhere', () => {
    expect(() => readOptions(['--resume', '../../etc/passwd'], {})).toThrow('not a conversation id');
    expect(readOptions([], { LLMC_WORKER: '../x y' }).worker).toBe('-x-y');
  });

  test('that are unknown are refused', () => {
    expect(() => readOptions(['--dance'], {})).toThrow('--dance');
  });
});
