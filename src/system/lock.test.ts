import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/repo/scratch.ts';
import { isAlive } from '../../test/support/scratch-tmux.ts';
import { mountDisk, needsDisk } from '../../test/support/small-disk.ts';
import type { Clock } from '../base/ports.ts';
import { systemClock } from './clock.ts';
import { readLines } from './lines.ts';
import { tryLock, waitForLock } from './lock.ts';
import { trySignal } from './processes/signal.ts';
import { systemRandom } from './random.ts';

const FIXTURE = fileURLToPath(import.meta.resolve('./hold-lock.fixture.ts'));

interface Holder extends AsyncDisposable {
  readonly held: boolean;
  /** A process it started, which lives on without it. */
  readonly child: number;
  kill(): Promise<void>;
}

async function otherProcess(path: string): Promise<Holder> {
  const holder = spawn(process.execPath, ['--expose-gc', FIXTURE, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(holder, 'exit');
  const { value: line } = await readLines(holder.stdout, 1_024).next();
  const { held, child }: { held: boolean; child: number } = JSON.parse(String(line));
  const kill = async () => {
    holder.kill('SIGKILL');
    await ended;
  };
  return {
    held,
    child,
    kill,
    async [Symbol.asyncDispose]() {
      trySignal(child, 'SIGKILL');
      await kill();
    },
  };
}

test('a place where no lock can be made is an error with a hint, not a bug', () => {
  using scratch = scratchFolder();
  expect(() => tryLock(join(scratch.path, 'missing', 'lock'))).toThrow(
    expect.objectContaining({ code: 'FILESYSTEM_ERROR', hint: 'llmc doctor' }),
  );
});

test('a lock is held by one process at a time', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'lock');
  const lock = tryLock(path);
  expect(lock).toBeDefined();
  // A refused attempt of the holder's own closes a handle on the file: the lock must survive that.
  expect(tryLock(path)).toBeUndefined();
  await using refused = await otherProcess(path);
  expect(refused.held).toBe(false);
  lock?.release();
  lock?.release();
  await using granted = await otherProcess(path);
  expect(granted.held).toBe(true);
  expect(tryLock(path)).toBeUndefined();
});

test('a killed holder frees it at once, even while a process it started lives on', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'lock');
  await using holder = await otherProcess(path);
  expect(holder.held).toBe(true);
  await holder.kill();
  expect(isAlive(holder.child)).toBe(true);
  using lock = tryLock(path);
  expect(lock).toBeDefined();
});

test('waiting ends when the holder dies', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'lock');
  await using holder = await otherProcess(path);
  const waiting = waitForLock(path, 20_000, { clock: systemClock, random: systemRandom });
  await holder.kill();
  using lock = await waiting;
  expect(lock).toBeDefined();
});

test('waiting tries again and again, with growing pauses, until its time is up', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'lock');
  using _held = tryLock(path);
  const pauses: number[] = [];
  let now = 1_000;
  const clock: Clock = {
    now: () => now,
    sleep: async (ms) => {
      pauses.push(ms);
      now += ms;
    },
  };
  expect(await waitForLock(path, 2_000, { clock, random: systemRandom })).toBeUndefined();
  expect(now).toBeGreaterThanOrEqual(3_000);
  expect(now).toBeLessThan(3_100);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(75);
  expect(pauses.length).toBeGreaterThan(25);
});

test('waiting can be cut short', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'lock');
  using _held = tryLock(path);
  await expect(
    waitForLock(path, 60_000, { clock: systemClock, random: systemRandom }, AbortSignal.abort(new Error('stopped'))),
  ).rejects.toThrow();
});

test('a path that cannot hold a lock is an error, not a busy lock', () => {
  using scratch = scratchFolder();
  expect(() => tryLock(join(scratch.path, 'missing', 'lock'))).toThrow(/no such file or directory/);
  mkdirSync(join(scratch.path, 'folder'));
  expect(() => tryLock(join(scratch.path, 'folder'))).toThrow(/cannot be taken/);
});

test('a file of garbage becomes a lock that one process has', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'text');
  writeFileSync(path, 'not one of our files '.repeat(100));
  using lock = tryLock(path);
  expect(lock?.isLost()).toBe(false);
  expect(tryLock(path)).toBeUndefined();
});

test('a lock knows that its file was removed, or replaced by the file of another process', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'lock');
  using lock = tryLock(path);
  expect(lock?.isLost()).toBe(false);
  rmSync(path);
  expect(lock?.isLost()).toBe(true);
  using _other = tryLock(path);
  expect(lock?.isLost()).toBe(true);
});

test('a lock on a full disk is an error with a command that helps', (context) => {
  needsDisk(context);
  using scratch = scratchFolder();
  using disk = mountDisk(join(scratch.path, 'disk'), '64k');
  disk.fill();
  const full = {
    code: 'FILESYSTEM_ERROR',
    message: expect.stringContaining('the disk is full'),
    hint: `Free some space: df -h ${disk.place}`,
  };
  expect(() => tryLock(join(disk.place, 'lock'))).toThrow(expect.objectContaining(full));
  disk.free();
  using lock = tryLock(join(disk.place, 'lock'));
  expect(lock).toBeDefined();
});

test('a lock whose file cannot be looked at is not lost', () => {
  using scratch = scratchFolder();
  const folder = join(scratch.path, 'run');
  mkdirSync(folder);
  using lock = tryLock(join(folder, 'lock'));
  renameSync(folder, `${folder}-aside`);
  // Too many links: the system cannot say whether the file is there.
  symlinkSync(folder, folder);
  expect(lock?.isLost()).toBe(false);
  rmSync(folder);
  renameSync(`${folder}-aside`, folder);
  expect(lock?.isLost()).toBe(false);
});
