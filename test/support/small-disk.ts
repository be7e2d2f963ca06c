import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { World } from './world.ts';

const CHUNK = Buffer.alloc(4_096, 'x');

/** A disk of its own, small enough to be filled. */
export interface MountedDisk extends Disposable {
  readonly place: string;
  fill(): void;
  free(): void;
  /** Every path on it can only be read, until `writable`. Files that are open stay writable: Linux refuses to remount a disk with such. */
  readOnly(): void;
  writable(): void;
}

/** The reason why no disk can be made here; undefined when one can. */
function whyNoDisk(): string | undefined {
  const place = mkdtempSync(join(tmpdir(), 'llmc-disk-'));
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'llmc-test', place], { encoding: 'utf8' });
  if (status === 0) unmount(place);
  rmSync(place, { recursive: true, force: true });
  return status === 0 ? undefined : `this test needs a file system of its own (mount -t tmpfs): ${error?.message ?? stderr.trim()}`;
}

/** Skips with a warning where no disk can be mounted. CI must be able to mount one. */
export function needsDisk({ skip, task }: TestContext): void {
  const reason = whyNoDisk();
  if (reason === undefined) return;
  if (process.env.CI) throw new Error(reason);
  console.warn(`NOT TESTED: ${task.name}. ${reason}`);
  skip(reason);
}

/** Mounts an empty disk at a folder, which it makes. */
export function mountDisk(place: string, size: string): MountedDisk {
  mkdirSync(place, { recursive: true });
  mount('-t', 'tmpfs', '-o', `size=${size},mode=700`, 'llmc-test', place);
  let isCovered = false;
  const uncover = () => {
    if (isCovered) unmount(place);
    isCovered = false;
  };
  const end = () => {
    uncover();
    unmount(place);
  };
  // An interrupted test run does not reach the end of its blocks.
  process.once('exit', end);
  const filler = join(place, 'filler');
  return {
    place,
    fill: () => fill(filler),
    free: () => rmSync(filler, { force: true }),
    readOnly() {
      mount('--bind', place, place);
      isCovered = true;
      mount('-o', 'remount,bind,ro', place);
    },
    writable: uncover,
    [Symbol.dispose]() {
      process.off('exit', end);
      end();
    },
  };
}

export interface SmallDisk extends AsyncDisposable, Pick<MountedDisk, 'fill' | 'free'> {}

/** Moves a root's spool, and optionally its ledger, onto a disk of their own; call it before `up`. */
export function smallDisk(world: World, holds: 'spool' | 'spool and ledger'): SmallDisk {
  const disk = mountDisk(join(world.dir, 'small-disk'), '4m');
  for (const name of holds === 'spool' ? ['events'] : ['events', 'llmc.db']) {
    cpSync(join(world.root, name), join(disk.place, name), { recursive: true });
    renameSync(join(world.root, name), join(world.root, `${name}-before`));
    symlinkSync(join(disk.place, name), join(world.root, name));
  }
  return {
    fill: disk.fill,
    free: disk.free,
    async [Symbol.asyncDispose]() {
      await world.run(['down', '--force']);
      disk[Symbol.dispose]();
    },
  };
}

function fill(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (;;) writeSync(file, CHUNK);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(file);
  }
}

function mount(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

// Unmount lazily: a process may still have a file open there.
function unmount(place: string): void {
  spawnSync('umount', ['-l', place]);
}
