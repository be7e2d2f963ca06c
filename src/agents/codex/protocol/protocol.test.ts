import { expect, test } from 'vitest';
import { aRequest } from '../../../../test/codex/replay.ts';
import { threadSettings } from '../settings.ts';
import { protocol } from './protocol.ts';

const request = { ...aRequest({ kind: 'fresh', id: '' }), args: ['-c', 'model_provider="mine"'] };

test('the server listens, and the viewer follows a conversation on it; the user’s arguments come first', () => {
  const server = protocol.server(request, '/s').argv;
  expect(server.slice(0, 3)).toEqual(['codex', '-c', 'model_provider="mine"']);
  expect(server.slice(-3)).toEqual(['app-server', '--listen', 'unix:///s']);
  const viewer = protocol.viewer(request, '/s', 'abc').argv;
  expect(viewer.slice(0, 3)).toEqual(server.slice(0, 3));
  expect(viewer.slice(-4)).toEqual(['resume', 'abc', '--remote', 'unix:///s']);
});

test('neither opens a dialog: flags settle update, trust and migration', () => {
  const { argv } = protocol.viewer(request, '/s', 'abc');
  expect(argv).toContain('check_for_update_on_startup=false');
  expect(argv).toContain('projects={"/llmc/.worktrees/adam"={trust_level="trusted"},"/llmc"={trust_level="trusted"}}');
  expect(argv.find((word) => word.startsWith('notice.model_migrations='))).toContain('"gpt-5.5"="gpt-6-sol"');
});

test('with skip_permissions it asks nothing and has no sandbox', () => {
  expect(threadSettings({ ...request, model: 'gpt-5.5', rolePrompt: 'Be brief.' })).toEqual({
    cwd: '/llmc/.worktrees/adam',
    model: 'gpt-5.5',
    developerInstructions: 'Be brief.',
    approvalPolicy: 'never',
    sandbox: 'danger-full-access',
  });
});

test('otherwise it asks before it leaves the worktree, and can still commit, in every conversation on the server', () => {
  const asking = { ...request, skipPermissions: false };
  expect(threadSettings(asking)).toEqual({ cwd: '/llmc/.worktrees/adam', approvalPolicy: 'on-request', sandbox: 'workspace-write' });
  expect(protocol.server(asking, '/s').argv).toEqual(
    expect.arrayContaining([
      'approval_policy="on-request"',
      'sandbox_mode="workspace-write"',
      'sandbox_workspace_write.writable_roots=["/llmc/sandbox/adam/git/worktrees/adam","/llmc/sandbox/adam/git/objects","/llmc/sandbox/adam/git/refs","/llmc/sandbox/adam/git/logs"]',
    ]),
  );
  expect(protocol.viewer(asking, '/s', 'abc').argv.join(' ')).not.toMatch(/sandbox|approval/);
});

test.each([
  ['--listen <URL>  Supported values: `stdio://` (default), `unix://`, `unix://PATH`', true],
  ['--listen <URL>  Supported values: `stdio://`', false],
  ["error: unrecognized subcommand 'app-server'", false],
  ['', false],
])('the help shows whether a version has the protocol channel: %s', (output, supported) => {
  expect(protocol.isSupported(output)).toBe(supported);
});
