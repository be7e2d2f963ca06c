import { expect, test } from 'vitest';
import { makeLayout } from '../store/layout.ts';
import { asUser, userEnvironment } from './agent-user.ts';
import { userWall } from './user-wall.ts';

const layout = makeLayout('/srv/llmc');
const USER = { name: 'agent', uid: 1001, gid: 1002, home: '/home/agent' };
const wall = userWall(layout, 'adam', USER);
const PREFIX = asUser(USER, []);

test('a command runs as the user alone: one group, no capability, no set-user-ID program, its own home', () => {
  expect(asUser(USER, ['git', 'status'])).toEqual([
    'setpriv',
    '--reuid=1001',
    '--regid=1002',
    '--clear-groups',
    '--inh-caps=-all',
    '--no-new-privs',
    '--',
    'env',
    ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR', 'npm_config_cache'].flatMap((name) => [
      '-u',
      name,
    ]),
    'HOME=/home/agent',
    'USER=agent',
    'LOGNAME=agent',
    'TMPDIR=/tmp',
    'git',
    'status',
  ]);
});

test('the configuration folder of the user of llmc is not passed on', () => {
  const folder = { variable: 'AGENT_HOME', path: () => '', readable: [], login: [], copied: () => ({}) };
  expect(asUser(USER, ['x'], folder).join(' ')).toContain('-u AGENT_HOME');
  expect(userEnvironment(USER, folder)).toMatchObject({ HOME: '/home/agent', AGENT_HOME: undefined });
});

test('a command keeps its arguments and its environment', () => {
  const env = { GIT_EDITOR: 'true', GIT_INDEX_FILE: undefined };
  const { file, args, ...rest } = wall.enclose({ file: 'git', args: ['-C', '/srv/llmc/.worktrees/adam', 'status'], env });
  expect([file, ...args]).toEqual([...PREFIX, 'git', '-C', '/srv/llmc/.worktrees/adam', 'status']);
  expect(rest).toEqual({ cwd: '/', env });
});

test('a file that only llmc can read is lent as a copy, and a folder is given', () => {
  const { file, args } = wall.enclose(
    { file: 'cmp', args: ['/run/arrival', 'x'] },
    { reads: { '/run/arrival': '/src/.env' }, writes: ['/tmp/w'] },
  );
  expect([file, args[0], args[2]]).toEqual(['sh', '-c', '1001:1002']);
  const copy = args[7] ?? '';
  expect(args.slice(3, 9)).toEqual(['folder', '/tmp/w', 'copy', '/src/.env', copy, '--']);
  expect(copy).toMatch(/^\/srv\/llmc\/sandbox\/adam\/lent-/);
  expect(args.slice(-3)).toEqual(['cmp', copy, 'x']);
});

test('a file with the name of a property of every object stays an argument', () => {
  expect(wall.enclose({ file: 'cat', args: ['constructor', '__proto__'] }).args.slice(-3)).toEqual(['cat', 'constructor', '__proto__']);
});
