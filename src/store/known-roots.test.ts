import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { forgetRoot, knownRoots, rememberRoot } from './known-roots.ts';

const dir = mkdtempSync(join(tmpdir(), 'llmc-known-'));
const folder = join(dir, 'roots');
const one = { root: '/home/a/llmc', repository: '/home/a/shop/.git' };
const two = { root: '/home/a/llmc-blog', repository: '/home/a/blog/.git' };

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('roots are known in the order in which they were recorded, and a second record changes nothing', () => {
  expect(knownRoots(folder)).toEqual([]);
  expect(rememberRoot(folder, two)).toBe(true);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
  rememberRoot(folder, one);
  rememberRoot(folder, two);
  expect(knownRoots(folder)).toEqual([two, one]);
});

test('a record that is not one is ignored, and so is a folder in its place', () => {
  rememberRoot(folder, one);
  writeFileSync(join(folder, '0123456789abcdef'), 'garbage\0\u001b[31m');
  writeFileSync(join(folder, 'fedcba9876543210'), 'relative/root\n/x/.git\n');
  writeFileSync(join(folder, 'notes.txt'), '/a\n/b\n');
  mkdirSync(join(folder, 'aaaaaaaaaaaaaaaa'));
  expect(knownRoots(folder)).toEqual([one]);
});

test('a root with a line feed in its path is not recorded, and a folder that cannot be made is not an error', () => {
  expect(rememberRoot(folder, { ...one, root: '/home/a\n/b' })).toBe(false);
  writeFileSync(folder, 'a file');
  expect(rememberRoot(folder, one)).toBe(false);
  expect(knownRoots(folder)).toEqual([]);
});

test('a root is forgotten once', () => {
  rememberRoot(folder, one);
  rememberRoot(folder, two);
  expect([forgetRoot(folder, one.root), forgetRoot(folder, one.root)]).toEqual([true, false]);
  expect(knownRoots(folder)).toEqual([two]);
});
