import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { namesIn } from '../../src/system/files/files.ts';
import { readKin } from '../../src/system/processes/lineage.ts';
import { findUser } from '../../src/system/users.ts';
import { isAlive, until } from '../support/scratch-tmux.ts';
import { type ScratchUser, scratchUser, userTest } from '../support/scratch-user.ts';

/** A program of this user, with a child that has ended and that it never collects, as orphans are with some process 1. */
async function programWithDeadChild({ uid, gid }: ScratchUser): Promise<number> {
  const args = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', 'sh', '-c', 'true & exec sleep 600'];
  const { pid = 0 } = spawn('setpriv', args, { cwd: '/', stdio: 'ignore' });
  const isDeadChild = (name: string) => {
    const kin = readKin(Number(name));
    return kin?.parent === pid && kin.isDead;
  };
  await until('the child to end', async () => readKin(pid)?.name === 'sleep' && namesIn('/proc').some(isDeadChild));
  return pid;
}

userTest('the processes of a scratch user are those that run, and they end with it', async () => {
  const user = scratchUser();
  const pid = await programWithDeadChild(user);
  expect(user.processes()).toEqual([pid]);
  user[Symbol.dispose]();
  await until('the program to end', async () => !isAlive(pid));
  expect(findUser(user.name)).toBeUndefined();
});

userTest('a scratch user has no process of one that was removed before it', async () => {
  using removed = scratchUser();
  await programWithDeadChild(removed);
  removed.remove();
  using user = scratchUser();
  expect(user.processes()).toEqual([]);
});
