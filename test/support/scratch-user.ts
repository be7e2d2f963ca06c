import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { namesIn } from '../../src/system/files/files.ts';
import { readOwnerId } from '../../src/system/files/share.ts';
import { trySignal } from '../../src/system/processes/signal.ts';
import { findUser, type SystemUser } from '../../src/system/users.ts';
import { isAlive } from './scratch-tmux.ts';

/** A user of this machine for one test, whose processes end with it. */
export interface ScratchUser extends SystemUser, Disposable {
  /** The numbers of its processes that have not ended. */
  processes(): readonly number[];
  /** Removes it before the test ends. */
  remove(): void;
}

/** Below the last number that `useradd` gives to people (60,000), so that a container has it too, and far above the first (1,000). */
const [FIRST_UID, END_OF_UIDS] = [20_000, 60_000];
/** How `useradd` ends when the number has a user, and when the name has one. */
const TAKEN: readonly unknown[] = [4, 9];

/** The programs are in a folder that the PATH of some shells leaves out. */
function administer(program: 'useradd' | 'userdel', ...args: string[]): void {
  execFileSync(program, args, { stdio: 'pipe', env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` } });
}

/**
 * Makes a user and returns its name. `useradd` by itself gives the number of a removed user to the next one, with all processes that the
 * removed one has left; a number by chance that no process has belongs to one test, also beside other runs on this machine.
 */
function addUser(options: readonly string[]): string {
  for (;;) {
    const uid = randomInt(FIRST_UID, END_OF_UIDS);
    const name = `llmc-test-${uid}`;
    if (ownedBy(uid).length > 0) continue;
    try {
      administer('useradd', '--uid', String(uid), ...options, name);
      return name;
    } catch (error) {
      if (!(error instanceof Error && 'status' in error && TAKEN.includes(error.status))) throw error;
    }
  }
}

/** The processes of this user, also those that have ended and that no one has collected. */
const ownedBy = (uid: number): readonly number[] =>
  namesIn('/proc')
    .filter((each) => /^\d+$/.test(each) && readOwnerId(`/proc/${each}`) === uid)
    .map(Number);

/** `group`: the number of its group, in place of a new one. */
export function scratchUser({ group }: { readonly group?: number } = {}): ScratchUser {
  const home = mkdtempSync(join(tmpdir(), 'llmc-user-'));
  const groups = group === undefined ? ['--user-group'] : ['--gid', String(group)];
  const name = addUser(['--no-log-init', '--no-create-home', '--home-dir', home, ...groups, '--shell', '/bin/sh']);
  const user = findUser(name);
  if (user === undefined) throw new Error(`useradd made no user ${name}`);
  chownSync(home, user.uid, user.gid);
  // Agents leave orphans, and where process 1 reaps none (many containers) or only every two seconds, those stay after their end.
  const processes = () => ownedBy(user.uid).filter(isAlive);
  const remove = () => {
    if (findUser(name) !== undefined) administer('userdel', '--force', name);
  };
  const forget = () => {
    // The next round finds what is started meanwhile.
    for (let round = 0; round < 5 && processes().filter((pid) => trySignal(pid, 'SIGKILL')).length > 0; round += 1);
    remove();
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
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
