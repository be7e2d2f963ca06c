import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/repo/scratch.ts';
import { fileStamp } from './file-stamp.ts';

const LONG_AGO = new Date(1_700_000_000_000);

function file(folder: string, text: string, name = 'file'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  utimesSync(path, LONG_AGO, LONG_AGO);
  return path;
}

test('is the same as long as nobody writes the file', () => {
  using scratch = scratchFolder();
  const path = file(scratch.path, 'one');
  expect(fileStamp(path)).toBeDefined();
  expect(fileStamp(path)).toBe(fileStamp(path));
});

test('tells another text of the same length and the same time', () => {
  using scratch = scratchFolder();
  const path = file(scratch.path, 'one');
  const before = fileStamp(path);
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
