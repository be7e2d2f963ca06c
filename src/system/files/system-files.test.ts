import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { systemFiles } from './system-files.ts';

test('a file is written, read and removed; a missing one is an answer and not an error', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'deep', 'file');
  expect(systemFiles.readText(path)).toBeUndefined();
  expect(systemFiles.stamp(path)).toBeUndefined();
  expect(systemFiles.names(join(scratch.path, 'deep'), 10)).toEqual([]);
  systemFiles.writePrivate(path, 'text');
  expect(systemFiles.readText(path)).toBe('text');
  expect(systemFiles.names(join(scratch.path, 'deep'), 10)).toEqual(['file']);
  systemFiles.remove(path);
  systemFiles.remove(path);
  expect(systemFiles.exists(path)).toBe(false);
});

test('a file in the place of a folder has no names and no files in it', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'file');
  systemFiles.writePrivate(path, 'text');
  expect(systemFiles.names(path, 10)).toEqual([]);
  expect(systemFiles.list(path, 10)).toEqual({ files: [], others: [], more: false });
  const files = [{ name: 'file', size: 4, mtimeNs: expect.any(BigInt) }];
  expect(systemFiles.list(scratch.path, 10)).toEqual({ files, others: [], more: false });
});
