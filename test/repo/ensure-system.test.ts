import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from './scratch.ts';

const script = join(import.meta.dirname, '../../scripts/ensure-system.mjs');

// The stubs see a PATH with nothing but themselves, so they use shell builtins and absolute paths only.
const record = 'echo "$0 $*" | /usr/bin/sed "s|.*/||" >> "$HERE/calls"';
const installAll = 'for name in "$@"; do case "$name" in tmux|git) /bin/ln -s /bin/sh "$HERE/$name";; esac; done';
const passOn = 'while [ "$1" = -n ] || [ "$1" = env ] || [ "$1" = DEBIAN_FRONTEND=noninteractive ]; do shift; done';
const stubs = {
  'works and records': `${record}; ${installAll}`,
  'fails without package lists': `${record}; case "$1" in update) : > "$HERE/lists";; *) [ -e "$HERE/lists" ] || exit 100; ${installAll};; esac`,
  'always fails': `${record}; exit 100`,
  'asks for a password': `${record}; exit 1`,
  'lets through': `${record}; ${passOn}; [ "$1" = true ] || "$@"`,
  'is there': ':',
};

function ensure(programs: readonly string[], machine: { uid: number; has: Readonly<Record<string, keyof typeof stubs>> }) {
  using scratch = scratchFolder();
  for (const [name, stub] of Object.entries(machine.has)) {
    writeFileSync(join(scratch.path, name), `#!/bin/sh\nHERE=${scratch.path}\n${stubs[stub]}\n`, { mode: 0o755 });
  }
  const asUser = `data:text/javascript,process.getuid=()=>${machine.uid}`;
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--import', asUser, script, ...programs], {
    env: { PATH: scratch.path },
    encoding: 'utf8',
  });
  const log = join(scratch.path, 'calls');
  const calls = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
  return { status, output: `${stdout}${stderr}`, calls };
}

describe('when everything is there', () => {
  test('it prints nothing and starts no program', () => {
    const result = ensure(['tmux', 'git'], { uid: 1000, has: { tmux: 'is there', git: 'is there', 'apt-get': 'works and records' } });
    expect(result).toEqual({ status: 0, output: '', calls: [] });
  });
});

test('with --if-possible, what cannot be installed is named and does not fail', () => {
  const result = ensure(['--if-possible', 'bwrap'], { uid: 0, has: { 'apt-get': 'always fails' } });
  expect(result).toMatchObject({ status: 0, output: expect.stringContaining('Missing: bwrap.') });
  expect(ensure(['bwrap'], { uid: 0, has: { 'apt-get': 'always fails' } }).status).toBe(1);
});

describe('when it may install', () => {
  test('root uses apt-get for the missing ones only, without refreshing lists that are good', () => {
    const result = ensure(['tmux', 'git'], { uid: 0, has: { git: 'is there', 'apt-get': 'works and records' } });
    expect(result).toEqual({
      status: 0,
      output: 'Installing tmux with apt-get ...\n',
      calls: ['apt-get install --yes --no-install-recommends tmux'],
    });
  });

  test('package lists are fetched when the first try fails', () => {
    const result = ensure(['tmux', 'git'], { uid: 0, has: { 'apt-get': 'fails without package lists' } });
    expect(result.status).toBe(0);
    expect(result.calls).toEqual([
      'apt-get install --yes --no-install-recommends tmux git',
      'apt-get update',
      'apt-get install --yes --no-install-recommends tmux git',
    ]);
  });

  test('a user with passwordless sudo goes through sudo and keeps debconf quiet', () => {
    const result = ensure(['tmux'], { uid: 1000, has: { sudo: 'lets through', 'apt-get': 'works and records' } });
    expect(result.status).toBe(0);
    expect(result.calls).toEqual([
      'sudo -n true',
      'sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends tmux',
      'apt-get install --yes --no-install-recommends tmux',
    ]);
  });

  test('dnf installs without asking', () => {
    const result = ensure(['tmux'], { uid: 0, has: { dnf: 'works and records' } });
    expect(result).toMatchObject({ status: 0, calls: ['dnf install --assumeyes tmux'] });
  });

  test('brew needs no root', () => {
    const result = ensure(['tmux'], { uid: 501, has: { brew: 'works and records', sudo: 'asks for a password' } });
    expect(result).toMatchObject({ status: 0, calls: ['brew install tmux'] });
  });
});

describe('when it may not install, exactly one line says what to type', () => {
  test('sudo wants a password', () => {
    const result = ensure(['tmux', 'git'], { uid: 1000, has: { sudo: 'asks for a password', 'apt-get': 'works and records' } });
    expect(result).toEqual({
      status: 1,
      output: 'Missing: tmux, git. Type: sudo apt-get install --yes --no-install-recommends tmux git\n',
      calls: ['sudo -n true'],
    });
  });

  test('there is no sudo', () => {
    const result = ensure(['tmux'], { uid: 1000, has: { dnf: 'works and records' } });
    expect(result).toEqual({ status: 1, output: 'Missing: tmux. Type as root: dnf install --assumeyes tmux\n', calls: [] });
  });

  test('no package manager is known', () => {
    const result = ensure(['tmux'], { uid: 0, has: { git: 'is there' } });
    expect(result).toEqual({ status: 1, output: 'Missing: tmux. Install them with the package manager of this system.\n', calls: [] });
  });

  test('the installation fails', () => {
    const result = ensure(['tmux'], { uid: 0, has: { 'apt-get': 'always fails' } });
    expect(result.status).toBe(1);
    expect(result.output).toBe(
      'Installing tmux with apt-get ...\nMissing: tmux. Type: apt-get install --yes --no-install-recommends tmux\n',
    );
    expect(result.calls).toEqual(['apt-get install --yes --no-install-recommends tmux', 'apt-get update']);
  });
});
