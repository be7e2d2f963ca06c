import { expect, test } from 'vitest';
import { runsPrograms, scratchDisk } from './scratch-disk.ts';

test.each([
  ['a disk in memory', 'tmpfs /dev/shm tmpfs rw,relatime 0 0\n', true],
  ['the one of a container', 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0\n', false],
  ['one that was mounted over it', 'tmpfs /dev/shm tmpfs rw 0 0\nshm /dev/shm tmpfs rw,noexec 0 0\n', false],
  ['one that cannot be written', 'tmpfs /dev/shm tmpfs ro 0 0\n', false],
  ['a real disk', '/dev/sda1 /dev/shm ext4 rw 0 0\n', false],
  ['none', 'proc /proc proc rw 0 0\n', false],
])('programs run from %s: %#', (_, mounts, expected) => {
  expect(runsPrograms(mounts)).toBe(expected);
});

test('the full run uses the real disk', () => {
  expect(scratchDisk({ full: true })).toBeUndefined();
});
