import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.ts';

const CHUNK = Buffer.alloc(4_096, 'x');

/** A separate disk for a root's spool, and optionally its ledger, small enough to be filled. */
export interface SmallDisk extends AsyncDisposable {
  fill(): void;
  free(): void;
}

/** The reason why no disk can be made here; undefined when one can. */
export function whyNoDisk(at: string): string | undefined {
  const place = join(at, 'trial');
  mkdirSync(place, { recursive: true });
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'llmc-test', place], { encoding: 'utf8' });
  if (status !== 0) return `this test needs a file system of its own (mount -t tmpfs): ${error?.message ?? stderr.trim()}`;
  unmount(place);
  return undefined;
}

/** Moves the folders onto the disk; call it before `up`. */
export function smallDisk(world: World, holds: 'spool' | 'spool and ledger'): SmallDisk {
  const place = join(world.dir, 'small-disk');
  mkdirSync(place);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'llmc-test', place], { encoding: 'utf8' });
  if (mounted.status !== 0) throw new Error(mounted.stderr);
  const end = () => unmount(place);
  // An interrupted test run does not reach the end of its blocks.
  process.once('exit', end);
  for (const name of holds === 'spool' ? ['events'] : ['events', 'llmc.db']) {
    cpSync(join(world.root, name), join(place, name), { recursive: true });
    renameSync(join(world.root, name), join(world.root, `${name}-before`));
    symlinkSync(join(place, name), join(world.root, name));
  }
  const filler = join(place, 'filler');
  return {
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (;;) writeSync(file, CHUNK);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      await world.run(['down', '--force']);
      process.off('exit', end);
      end();
    },
  };
}

// Unmount lazily: a process may still have a file open there.
function unmount(place: string): void {
  spawnSync('umount', ['-l', place]);
}
