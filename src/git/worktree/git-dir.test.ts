import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { treeFiles } from '../../system/files/tree-files.ts';
import { findGitDir } from './git-dir.ts';

test('a git directory that changes while llmc lists it is not entered', async () => {
  using scratch = scratchFolder();
  mkdirSync(join(scratch.path, 'lib/.git'), { recursive: true });
  const gone = Object.assign(new Error('ENOENT: no such file or directory, scandir'), { code: 'ENOENT' });
  const files = { ...treeFiles, firstOdd: () => Promise.reject(gone) };
  expect(await findGitDir({ files }, scratch.path, 'lib')).toEqual({ closed: 'its git directory cannot be read' });
  expect(await findGitDir({ files: treeFiles }, scratch.path, 'lib')).toMatchObject({ ofWorker: false });
});
