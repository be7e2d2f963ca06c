import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { isAlive, until } from '../../../test/support/scratch-tmux.ts';
import { startDetached } from './detached.ts';
import { trySignal } from './signal.ts';

test('a program that ends early tells what it printed, and nothing of what stood in the log before', async () => {
  using scratch = scratchFolder();
  const log = join(scratch.path, 'logs', 'llmc.log');
  for (const round of ['eins – 一', 'zwei']) {
    const child = startDetached(['sh', '-c', `echo "${round}"; echo "no luck" >&2; exit 1`], log);
    await until('its end', async () => child.ended() !== undefined);
    expect(child.ended()).toBe(`${round}\nno luck`);
  }
  expect(readFileSync(log, 'utf8')).toBe('eins – 一\nno luck\nzwei\nno luck\n');
});

test('a program that is missing has ended', async () => {
  using scratch = scratchFolder();
  const child = startDetached(['llmc-no-such-program'], join(scratch.path, 'log'));
  await until('its end', async () => child.ended() !== undefined);
  expect(child.ended()).toBe('');
});

test('a program leads a group of its own, away from the directory it was started in', async () => {
  using scratch = scratchFolder();
  const log = join(scratch.path, 'log');
  writeFileSync(log, '');
  const child = startDetached(['sh', '-c', 'echo "$$ $(pwd)"; exec sleep 300'], log);
  child.release();
  let pid = 0;
  try {
    await until('its first words', async () => readFileSync(log, 'utf8').endsWith('\n'));
    const [own, folder] = readFileSync(log, 'utf8').trim().split(' ');
    pid = Number(own);
    expect(folder).toBe('/');
    // A signal to a group answers only if a process leads one under its own number.
    expect(trySignal(-pid, 0)).toBe(true);
    expect(child.ended()).toBeUndefined();
    expect(isAlive(pid)).toBe(true);
  } finally {
    trySignal(pid, 'SIGKILL');
  }
});
