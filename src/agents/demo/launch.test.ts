import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { LaunchRequest } from '../launch.ts';
import { launchDemo } from './launch.ts';
import { demoProgramPath, programPathFrom } from './program-path.ts';

const request: LaunchRequest = {
  worker: 'adam',
  root: '/r',
  worktree: '/r/.worktrees/adam',
  repository: '/r/sandbox/adam/git',
  spool: '/r/events/adam',
  scratch: '/r/scratch/adam',
  incarnation: 4,
  command: '',
  args: ['--trust-dialog'],
  model: 'small',
  rolePrompt: 'Be kind.',
  skipPermissions: true,
  allowedTools: ['Bash', 'Edit'],
  conversation: { kind: 'fresh', id: 'abc' },
  seal: 'seal-of-four',
};

describe('the launch of the demo agent', () => {
  test('passes everything by flags and environment', () => {
    expect(launchDemo(request)).toEqual({
      argv: [
        process.execPath,
        demoProgramPath(),
        '--session-id',
        'abc',
        '--model',
        'small',
        '--role-prompt',
        'Be kind.',
        '--skip-permissions',
        '--allowed-tools',
        'Bash,Edit',
        '--trust-dialog',
      ],
      env: {
        LLMC_WORKER: 'adam',
        LLMC_ROOT: '/r',
        LLMC_SPOOL: '/r/events/adam',
        LLMC_INCARNATION: '4',
        LLMC_SCRATCH: '/r/scratch/adam',
        LLMC_SEAL: 'seal-of-four',
      },
      files: {},
    });
  });

  test('resumes an earlier conversation, and omits options that are not set', () => {
    const bare = {
      ...request,
      conversation: { kind: 'resume', id: 'abc' },
      args: [],
      model: '',
      rolePrompt: '',
      skipPermissions: false,
      allowedTools: [],
    } as const;
    expect(launchDemo(bare).argv.slice(2)).toEqual(['--resume', 'abc']);
  });

  test('runs a script under the same Node, and another program as it is', () => {
    expect(launchDemo({ ...request, command: '/x/twin.js' }).argv.slice(0, 2)).toEqual([process.execPath, '/x/twin.js']);
    expect(launchDemo({ ...request, command: 'twin' }).argv[0]).toBe('twin');
  });

  test('finds the program beside the sources and beside the bundle', () => {
    expect(existsSync(demoProgramPath())).toBe(true);
    expect(programPathFrom('/p/dist/llmc.js')).toBe('/p/dist/demo-agent.js');
    expect(programPathFrom('/p/dist/chunks/up-1x.js')).toBe('/p/dist/demo-agent.js');
  });
});
