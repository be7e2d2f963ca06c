import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { namesIn } from '../../src/system/files/files.ts';
import { ownerOf } from '../../src/system/files/share.ts';
import { findUser, type SystemUser } from '../../src/system/users.ts';

/** A user of this machine for one test. */
export interface ScratchUser extends SystemUser, Disposable {
  /** The numbers of its processes. */
  processes(): readonly number[];
  /** Removes it before the test ends. */
  remove(): void;
}

let made = 0;

/** The programs are in a folder that the PATH of some shells leaves out. */
function administer(program: 'useradd' | 'userdel', ...args: string[]): void {
  execFileSync(program, args, { stdio: 'pipe', env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` } });
}

/** `group`: the number of its group, in place of a new one. */
export function scratchUser({ group }: { readonly group?: number } = {}): ScratchUser {
  made += 1;
  const name = `llmc-test-${process.pid}-${made}`;
  const home = mkdtempSync(join(tmpdir(), 'llmc-user-'));
  const groups = group === undefined ? ['--user-group'] : ['--gid', String(group)];
  administer('useradd', '--no-create-home', '--home-dir', home, ...groups, '--shell', '/bin/sh', name);
  const user = findUser(name);
  if (user === undefined) throw new Error(`useradd made no user ${name}`);
  chownSync(home, user.uid, user.gid);
  const processes = () =>
    namesIn('/proc')
      .filter((each) => /^\d+$/.test(each) && ownerOf(`/proc/${each}`) === user.uid)
      .map(Number);
  const remove = () => {
    if (findUser(name) !== undefined) administer('userdel', '--force', name);
  };
  const forget = () => {
    remove();
    rmSync(home, { recursive: true, force: true });
  };
  // An interrupted run must not leave a user behind.
  process.once('exit', forget);
  return {
    ...user,
    processes,
    remove,
    [Symbol.dispose]() {
      process.off('exit', forget);
      forget();
    },
  };
}

function requireRoot({ skip }: TestContext): void {
  if (process.getuid?.() !== 0) skip('only root can run agents as another user');
}

/** A test that needs another user of this machine. */
export function userTest(name: string, run: (context: TestContext) => Promise<void>): void {
  test(name, async (context) => {
    requireRoot(context);
    await run(context);
  });
}

userTest.for =
  <Row>(rows: readonly Row[]) =>
  (name: string, run: (row: Row) => Promise<void>): void =>
    test.for(rows)(name, async (row, context) => {
      requireRoot(context);
      await run(row);
    });
