import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { tarGz, writeNewPrivate } from './archive.ts';

test('tar reads the archive: names, bytes, modes', () => {
  using scratch = scratchFolder();
  const files = [
    { name: 'empty.txt', text: '' },
    { name: 'a/block.txt', text: 'x'.repeat(512) },
    { name: 'a/b/umlaut.txt', text: 'grüße\n'.repeat(100) },
  ];
  const path = join(scratch.path, 'x.tar.gz');
  expect(writeNewPrivate(path, tarGz(files, 1_700_000_000_000))).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(execFileSync('tar', ['-tzf', path], { encoding: 'utf8' }).trim().split('\n')).toEqual(files.map(({ name }) => name));
  for (const { name, text } of files) expect(execFileSync('tar', ['-xzOf', path, name], { encoding: 'utf8' })).toBe(text);
});

test.each(['', '/etc/passwd', '../x', 'a/../x', 'a\nb', '-rf', 'a//b', 'x'.repeat(101)])('the name %j is refused', (name) => {
  expect(() => tarGz([{ name, text: '' }], 0)).toThrow('not a name for an archive');
});

test('an existing file or link is kept', () => {
  using scratch = scratchFolder();
  const [file, link] = [join(scratch.path, 'file'), join(scratch.path, 'link')];
  writeFileSync(file, 'old');
  symlinkSync(file, link);
  for (const path of [file, link]) expect(writeNewPrivate(path, Buffer.from('new'))).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('old');
});
