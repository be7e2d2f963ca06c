import { expect, test } from 'vitest';
import { configFolder } from '../agents/claude/config-dir.ts';
import type { SandboxOptions } from '../config/schema.ts';
import { makeLayout } from '../store/layout.ts';
import { agentView, sandboxEnvironment } from './agent-view.ts';
import { bubblewrap, type Mount } from './bubblewrap.ts';
import { workerAt } from './places.ts';

const layout = makeLayout('/home/u/llmc');
const OPTIONS: SandboxOptions = {
  kind: 'bubblewrap',
  user: 'llmc-agent',
  home: 'hidden',
  network: 'full',
  hosts: [],
  required: false,
  readable: [],
  writable: [],
};
const seen = (options: Partial<SandboxOptions> = {}, programs: readonly string[] = []) =>
  agentView({ layout, worker: 'adam', options: { ...OPTIONS, ...options }, env: { HOME: '/home/u' }, configFolder, programs });
const position = (mounts: readonly Mount[], path: string) => mounts.findLastIndex((mount) => mount.path === path);

test('a hidden home is empty, a shown one is read-only', () => {
  expect(seen().mounts).toContainEqual({ kind: 'empty', path: '/home/u' });
  expect(seen({ home: 'read-only' }).mounts).toContainEqual({ kind: 'read', path: '/home/u' });
});

test('no path that the user lists uncovers the rest of the root', () => {
  const { mounts } = seen({ readable: ['~/llmc', '/'], writable: ['~'] });
  for (const path of ['/home/u/llmc', '/', '/home/u'])
    expect(position(mounts, path)).toBeLessThanOrEqual(mounts.findIndex(({ kind, path: at }) => kind === 'empty' && at === layout.root));
  const writable = mounts.filter(({ kind, path }) => kind === 'write' && path.startsWith(layout.root)).map(({ path }) => path);
  expect(writable).toEqual([
    '/home/u/llmc/sandbox/adam/git',
    '/home/u/llmc/.worktrees/adam',
    '/home/u/llmc/run/workers/adam/conversations',
    '/home/u/llmc/events/adam',
    '/home/u/llmc/sandbox/adam/agent',
    '/home/u/llmc/sandbox/adam/cache',
    layout.agentSocket('adam').replace(/\/s$/, ''),
    '/home/u/llmc/sandbox/adam/agent/.credentials.json',
  ]);
});

test('a folder of programs that contains the home does not show it', () => {
  expect(position(seen({}, ['/home', '/home/u', '/home/u/bin']).mounts, '/home/u/bin')).toBeGreaterThan(0);
  expect(position(seen({}, ['/home', '/home/u', '/home/u/bin']).mounts, '/home')).toBe(-1);
});

test('the command line drops every capability and every namespace that is not asked for', () => {
  const line = (network: 'full' | 'none') => bubblewrap({ mounts: [{ kind: 'write', path: '/w', optional: true }], network, cwd: '/w' });
  expect(line('full')).toEqual([
    'bwrap',
    '--unshare-all',
    '--unshare-user',
    '--share-net',
    '--cap-drop',
    'ALL',
    '--die-with-parent',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--bind-try',
    '/w',
    '/w',
    '--chdir',
    '/w',
    '--',
  ]);
  expect(line('none')).not.toContain('--share-net');
});

test('the agent finds its own configuration folder, and Claude Code a declared sandbox', () => {
  expect(sandboxEnvironment(layout, 'adam', configFolder)).toMatchObject({
    CLAUDE_CONFIG_DIR: '/home/u/llmc/sandbox/adam/agent',
    IS_SANDBOX: '1',
    TMPDIR: '/tmp',
  });
});

test.each([
  ['/home/u/llmc/.worktrees/adam', 'adam'],
  ['/home/u/llmc/.worktrees/adam/src/x', 'adam'],
  ['/home/u/llmc/sandbox/adam/git/worktrees/adam/HEAD', 'adam'],
  ['/home/u/llmc/.git/taken/adam', undefined],
  ['/home/u/llmc/.worktrees', undefined],
  ['/home/u/llmc/.git', undefined],
  ['/home/u/llmc', undefined],
  ['/home/u/code', undefined],
])('%s lies in the sandbox of %s', (path, worker) => {
  expect(workerAt(layout, path)).toBe(worker);
});
