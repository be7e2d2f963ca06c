import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { systemProcesses } from '../processes/processes.ts';
import { filesBeneath, firstOdd, kindBeneath, readBeneath, readPlain } from './plain-file.ts';

test('only a regular file within the limit is read; a pipe does not block', async () => {
  using scratch = scratchFolder();
  const at = (name: string) => join(scratch.path, name);
  writeFileSync(at('file'), 'text');
  writeFileSync(at('large'), 'x'.repeat(11));
  symlinkSync(at('file'), at('link'));
  await systemProcesses.run({ file: 'mkfifo', args: [at('pipe')], cwd: '/' });
  expect(await readPlain(at('file'), 10)).toBe('text');
  for (const name of ['large', 'link', 'pipe', 'none', '.', 'file/below']) expect(await readPlain(at(name), 10)).toBeUndefined();
});

test('what is behind a link is missing, the link itself is a link', async () => {
  using scratch = scratchFolder();
  const base = join(scratch.path, 'base');
  mkdirSync(join(base, 'folder'), { recursive: true });
  writeFileSync(join(base, 'folder/file'), '');
  symlinkSync(join(base, 'folder'), join(base, 'link'));
  const kinds = { folder: 'folder', 'folder/file': 'file', link: 'link', 'link/file': 'missing', '../base': 'missing', none: 'missing' };
  for (const [path, kind] of Object.entries(kinds)) expect(await kindBeneath(base, path)).toBe(kind);
});

test('a file below a folder is read, but never through a link', async () => {
  using scratch = scratchFolder();
  const base = join(scratch.path, 'base');
  mkdirSync(join(base, 'folder'), { recursive: true });
  writeFileSync(join(base, 'folder/file'), 'text');
  writeFileSync(join(scratch.path, 'secret'), 'secret');
  symlinkSync(scratch.path, join(base, 'link'));
  symlinkSync(join(scratch.path, 'secret'), join(base, 'file'));
  // Many at once: a folder that is closed too early makes some of them fail.
  const texts = await Promise.all(Array.from({ length: 50 }, () => readBeneath(base, 'folder/file', 10)));
  expect(new Set(texts)).toEqual(new Set(['text']));
  for (const path of ['link/secret', 'file', '../secret', 'folder', 'none']) expect(await readBeneath(base, path, 10)).toBeUndefined();
  expect(await readBeneath(base, 'folder/file', 3)).toBeUndefined();
});

test('a link is found at any depth', async () => {
  using scratch = scratchFolder();
  mkdirSync(join(scratch.path, 'a/b'), { recursive: true });
  writeFileSync(join(scratch.path, 'a/file'), '');
  expect(await firstOdd(scratch.path)).toBeUndefined();
  symlinkSync('/', join(scratch.path, 'a/b/link'));
  expect(await firstOdd(scratch.path)).toBe(join(scratch.path, 'a/b/link'));
});

test('plain files are found in their order, and nothing behind a link', async () => {
  using scratch = scratchFolder();
  const at = (name: string) => join(scratch.path, 'out', name);
  mkdirSync(at('deep/er'), { recursive: true });
  for (const name of ['b', 'a', 'deep/c', 'deep/er/d']) writeFileSync(at(name), '');
  writeFileSync(join(scratch.path, 'secret'), '');
  symlinkSync(scratch.path, at('link'));
  symlinkSync(join(scratch.path, 'secret'), at('file-link'));
  execFileSync('mkfifo', [at('pipe')]);
  expect(await filesBeneath(scratch.path, 'out', { most: 100, depth: 3 })).toEqual(['a', 'b', 'deep/c', 'deep/er/d']);
  expect(await filesBeneath(scratch.path, 'out', { most: 100, depth: 2 })).toEqual(['a', 'b', 'deep/c']);
  expect(await filesBeneath(scratch.path, 'out/link', { most: 100, depth: 3 })).toEqual([]);
  expect(await filesBeneath(scratch.path, 'none', { most: 100, depth: 3 })).toEqual([]);
});

test('no more entries are looked at than asked for', async () => {
  using scratch = scratchFolder();
  mkdirSync(join(scratch.path, 'out'));
  for (let index = 0; index < 30; index += 1) writeFileSync(join(scratch.path, 'out', String(index)), '');
  expect(await filesBeneath(scratch.path, 'out', { most: 7, depth: 1 })).toHaveLength(7);
});
