import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { until } from '../../../test/support/scratch-tmux.ts';
import { fileStamp } from './file-stamp.ts';

const LONG_AGO = new Date(1_700_000_000_000);

function file(folder: string, text: string, name = 'file'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  utimesSync(path, LONG_AGO, LONG_AGO);
  return path;
}

/** Before Linux 6.13 the kernel's clock ticks every 4 ms: what is written sooner after the file has the same time of change. */
async function nextTick(path: string): Promise<void> {
  const changedAt = (name: string) => statSync(name, { bigint: true }).ctimeNs;
  const probe = `${path}.probe`;
  await until('the next tick', async () => {
    writeFileSync(probe, '');
    return changedAt(probe) > changedAt(path);
  });
}

test('is the same as long as nobody writes the file', () => {
  using scratch = scratchFolder();
  const path = file(scratch.path, 'one');
  expect(fileStamp(path)).toBeDefined();
  expect(fileStamp(path)).toBe(fileStamp(path));
});

test('tells another text of the same length and the same time', async () => {
  using scratch = scratchFolder();
  const path = file(scratch.path, 'one');
  const before = fileStamp(path);
  await nextTick(path);
  file(scratch.path, 'two');
  expect(fileStamp(path)).not.toBe(before);
  renameSync(file(scratch.path, 'six', 'other'), path);
  expect(fileStamp(path)).not.toBe(before);
});

test('says nothing of a file written just now, from the future, or not there', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'file');
  expect(fileStamp(path)).toBeUndefined();
  const soon = new Date(Date.now() + 60_000);
  writeFileSync(path, 'one');
  utimesSync(path, soon, soon);
  expect(fileStamp(path)).toBeUndefined();
  rmSync(path);
  expect(fileStamp(path)).toBeUndefined();
});
