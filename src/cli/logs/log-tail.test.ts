import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { LogTail } from './log-tail.ts';

test('lines of the rotated file come first, and every line comes once', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'adam.log');
  writeFileSync(`${path}.1`, 'one\ntwo\n');
  writeFileSync(path, 'three\n');
  const tail = new LogTail(path);
  expect(tail.next()).toEqual(['one', 'two', 'three']);
  expect(tail.next()).toEqual([]);
  appendFileSync(path, 'fo');
  expect(tail.next()).toEqual([]);
  appendFileSync(path, 'ur é\n');
  expect(tail.next()).toEqual(['four é']);
});

test('a log that is rotated between two reads loses neither its last lines nor those of the new file', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'adam.log');
  writeFileSync(`${path}.1`, 'old\n');
  writeFileSync(path, 'one\n');
  const tail = new LogTail(path);
  tail.next();
  appendFileSync(path, 'two\n');
  renameSync(path, `${path}.1`);
  expect(tail.next()).toEqual(['two']);
  writeFileSync(path, 'three\n');
  expect(tail.next()).toEqual(['three']);
  appendFileSync(path, 'four\n');
  renameSync(path, `${path}.1`);
  writeFileSync(path, 'five\n');
  expect(tail.next()).toEqual(['four', 'five']);
});

test('a log that does not exist yet has no lines until it is created', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'adam.log');
  const tail = new LogTail(path);
  expect(tail.next()).toEqual([]);
  writeFileSync(path, 'one\n');
  expect(tail.next()).toEqual(['one']);
});
