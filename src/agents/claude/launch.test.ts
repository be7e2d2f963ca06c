import { describe, expect, test } from 'vitest';
import type { LaunchRequest } from '../launch.ts';
import { launchClaude } from './launch.ts';
import { HOOK_EVENTS } from './settings.ts';
import { skipPermissionsProblem } from './skip-permissions.ts';

const request: LaunchRequest = {
  worker: 'adam',
  root: '/home/dev/llmc',
  worktree: '/home/dev/llmc/.worktrees/adam',
  repository: '/home/dev/llmc/sandbox/adam/git',
  spool: '/home/dev/llmc/events/adam',
  scratch: '/home/dev/llmc/scratch/adam',
  incarnation: 4,
  command: 'claude',
  args: [],
  model: '',
  rolePrompt: '',
  skipPermissions: false,
  allowedTools: [],
  conversation: { kind: 'fresh', id: '11111111-2222-4333-8444-555555555555' },
};

describe('the command line', () => {
  test('a plain fresh start names its settings and the chosen conversation', () => {
    expect(launchClaude(request).argv).toEqual([
      'claude',
      '--settings',
      '/home/dev/llmc/scratch/adam/claude-settings.json',
      '--session-id',
      '11111111-2222-4333-8444-555555555555',
    ]);
  });

  test('everything at once: tools first, since their list ends at the next flag, the user’s own arguments last', () => {
    const all = {
      ...request,
      args: ['--verbose'],
      model: 'opus',
      rolePrompt: 'You review.\nBe strict.',
      skipPermissions: true,
      allowedTools: ['Bash(git log:*)', 'Read'],
      conversation: { kind: 'resume', id: 'abc' },
    } as const;
    expect(launchClaude(all).argv.slice(1)).toEqual([
      '--allowedTools',
      'Bash(git log:*)',
      'Read',
      '--settings',
      '/home/dev/llmc/scratch/adam/claude-settings.json',
      '--resume',
      'abc',
      '--model',
      'opus',
      '--dangerously-skip-permissions',
      '--append-system-prompt-file',
      '/home/dev/llmc/scratch/adam/role-prompt.md',
      '--verbose',
    ]);
    expect(launchClaude(all).files).toMatchObject({ 'role-prompt.md': 'You review.\nBe strict.' });
  });
});

describe('the environment', () => {
  test('names the worker and sets what makes the screen readable', () => {
    expect(launchClaude(request).env).toEqual({
      LLMC_ROOT: '/home/dev/llmc',
      LLMC_WORKER: 'adam',
      LLMC_SPOOL: '/home/dev/llmc/events/adam',
      LLMC_SCRATCH: '/home/dev/llmc/scratch/adam',
      LLMC_INCARNATION: '4',
      CLAUDE_CODE_NO_FLICKER: '1',
      CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
      CLAUDE_CODE_DISABLE_AGENT_VIEW: '1',
    });
  });

  test('never claims a sandbox on the user’s behalf', () => {
    expect(Object.keys(launchClaude({ ...request, skipPermissions: true }).env)).not.toContain('IS_SANDBOX');
  });
});

describe('the settings file', () => {
  const settings = JSON.parse(launchClaude(request).files['claude-settings.json'] ?? '');

  test('has one hook per event, without any value of the user in shell text', () => {
    expect(Object.keys(settings.hooks)).toEqual([...HOOK_EVENTS]);
    for (const event of HOOK_EVENTS) {
      const command = `exec sh "$LLMC_SCRATCH/claude-hook.sh" ${event}`;
      expect(settings.hooks[event]).toEqual([{ hooks: [{ type: 'command', command, timeout: 10 }] }]);
    }
  });

  test('answers the bypass warning, and leaves the wait for a limit to llmc and the status line to the user', () => {
    expect(settings).toMatchObject({ skipDangerousModePermissionPrompt: true, autoContinueAtUsageLimit: false });
    expect(settings).not.toHaveProperty('statusLine');
  });

  test('the script is in the same folder', () => {
    expect(launchClaude(request).files['claude-hook.sh']).toMatch(/^#!\/bin\/sh\n/);
  });
});

describe('skip_permissions as root', () => {
  test('is refused by Claude Code, and the message says what helps', () => {
    expect(skipPermissionsProblem({ isRoot: true, env: {} })).toMatch(/another user.*IS_SANDBOX = "1"/s);
  });

  test.each([[{ isRoot: false, env: {} }], [{ isRoot: true, env: { IS_SANDBOX: '1' } }]])('is allowed with %j', (setting) => {
    expect(skipPermissionsProblem(setting)).toBeUndefined();
  });
});
