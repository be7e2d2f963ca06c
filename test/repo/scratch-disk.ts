import { readFileSync, statfsSync } from 'node:fs';

const MEMORY_DISK = '/dev/shm';
/** A run holds a few hundred megabytes at its fullest. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Where tests make their folders: on a disk in memory where there is a large one, because git and SQLite wait for a real disk, and
 * ext4 spends a quarter of the processor time on the many files. Undefined for the usual place: that one has the full run, so that
 * everything is tested on a real disk as well, and a person who has set TMPDIR decides.
 */
export function scratchDisk({ full }: { readonly full: boolean }): string | undefined {
  if (full || process.env['TMPDIR'] !== undefined || process.platform !== 'linux') return undefined;
  return runsPrograms(readFileSync('/proc/self/mounts', 'utf8')) && freeBytes() >= ENOUGH_BYTES ? MEMORY_DISK : undefined;
}

/** Tests run scripts from their folders. Containers mount this disk with `noexec`. */
export function runsPrograms(mounts: string): boolean {
  const last = mounts.split('\n').findLast((line) => line.split(' ')[1] === MEMORY_DISK);
  const [, , type, options = ''] = last?.split(' ') ?? [];
  return type === 'tmpfs' && !options.split(',').some((option) => option === 'noexec' || option === 'ro');
}

function freeBytes(): number {
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return bavail * bsize;
}
