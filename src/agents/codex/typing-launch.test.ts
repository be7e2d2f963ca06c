import { describe, expect, test } from 'vitest';
import type { LaunchRequest } from '../launch.ts';
import { HOOK_EVENTS, hookSettings } from './hooks.ts';
import { quietFlags } from './settings.ts';
import { typingLaunch } from './typing-launch.ts';

const request: LaunchRequest = {
  worker: 'adam',
  root: '/home/dev/llmc',
  worktree: '/home/dev/llmc/.worktrees/adam',
  repository: '/home/dev/llmc/sandbox/adam/git',
  spool: '/home/dev/llmc/events/adam',
  scratch: '/home/dev/llmc/run/workers/adam',
  incarnation: 4,
  command: 'codex',
  args: [],
  model: '',
  rolePrompt: '',
  skipPermissions: true,
  allowedTools: [],
  conversation: { kind: 'fresh', id: '11111111-2222-4333-8444-555555555555' },
};
const argv = (over: Partial<LaunchRequest> = {}) => typingLaunch({ ...request, ...over }).argv;

describe('the command line', () => {
  test('keeps the agent in its pane, configures the title and asks nothing at the start', () => {
    const flags = hookSettings().flatMap((setting) => ['-c', setting]);
    expect(argv()).toEqual([
      'codex',
      '--no-daemon',
      '--dangerously-bypass-approvals-and-sandbox',
      ...quietFlags(request),
      '-c',
      'tui.terminal_title=["activity","run-state","thread-id"]',
      '-c',
      'tui.status_line=["model-with-reasoning","current-dir"]',
      '-c',
      'tui.animations=false',
      ...flags,
    ]);
  });

  test('the user’s own arguments come right after the program, the conversation last', () => {
    const words = argv({ args: ['-p', 'mine'], model: 'gpt-5.5', conversation: { kind: 'resume', id: 'abc' } });
    expect(words.slice(0, 4)).toEqual(['codex', '-p', 'mine', '--no-daemon']);
    expect(words.slice(-4)).toEqual(['-m', 'gpt-5.5', 'resume', 'abc']);
  });

  test('a role prompt becomes instructions, whatever characters are in it', () => {
    expect(argv({ rolePrompt: 'You "review".\nBe strict.' })).toContain('developer_instructions="You \\"review\\".\\nBe strict."');
  });

  test('without skip_permissions it asks, and may write where a commit writes, but not to hooks and configuration', () => {
    const git = '/home/dev/llmc/sandbox/adam/git';
    expect(argv({ skipPermissions: false }).slice(2, 8)).toEqual([
      '-a',
      'on-request',
      '-s',
      'workspace-write',
      '-c',
      `sandbox_workspace_write.writable_roots=["${git}/worktrees/adam","${git}/objects","${git}/refs","${git}/logs"]`,
    ]);
  });
});

test('the environment names the worker', () => {
  expect(typingLaunch(request).env).toEqual({
    LLMC_ROOT: '/home/dev/llmc',
    LLMC_WORKER: 'adam',
    LLMC_SPOOL: '/home/dev/llmc/events/adam',
    LLMC_SCRATCH: '/home/dev/llmc/run/workers/adam',
    LLMC_INCARNATION: '4',
  });
});

describe('the hooks', () => {
  test('are one per event, without any value of the user in shell text', () => {
    for (const event of HOOK_EVENTS) {
      const command = JSON.stringify(`exec sh "$LLMC_SCRATCH/codex-hook.sh" ${event}`);
      expect(hookSettings()).toContain(`hooks.${event}=[{hooks=[{type="command",command=${command},timeout=3}]}]`);
    }
    expect(typingLaunch(request).files['codex-hook.sh']).toMatch(/^#!\/bin\/sh\n/);
  });

  test('have the mark that Codex writes after a review', () => {
    // As 0.166.0 computes it; with any other mark the start stops at "Hooks need review".
    expect(hookSettings().at(-1)).toContain(
      '"/<session-flags>/config.toml:session_end:0:0"={trusted_hash="sha256:8a012023baad818151f09a0e000333d9e09ac98d1bd51db7fb683840d721f957"}',
    );
  });
});
