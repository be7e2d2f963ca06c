import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import {
  isFreePlace,
  makeBeside,
  makeDirectory,
  makeParents,
  moveIntoPlace,
  readText,
  readTextIfThere,
  removeTree,
  writePrivate,
} from './files.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('a private file is private, also when it was not before', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'a', 'b', 'secret');
  writePrivate(path, 'one');
  expect(modeOf(path)).toBe(0o600);
  expect(modeOf(dirname(path))).toBe(0o700);
  chmodSync(path, 0o666);
  writePrivate(path, 'two');
  expect(modeOf(path)).toBe(0o600);
  expect(readText(path)).toBe('two');
});

test('a missing file is an answer where it may be missing, and an error where it may not', () => {
  using scratch = scratchFolder();
  expect(readTextIfThere(join(scratch.path, 'none'))).toBeUndefined();
  expect(() => readText(join(scratch.path, 'none'))).toThrow(/ENOENT/);
});

test('a free place is nothing, or an empty directory', () => {
  using scratch = scratchFolder();
  const at = (name: string) => join(scratch.path, name);
  expect(isFreePlace(at('none'))).toBe(true);
  makeDirectory(at('folder'));
  makeDirectory(at('folder'));
  expect(isFreePlace(at('folder'))).toBe(true);
  writeFileSync(at('folder/.hidden'), '');
  expect(isFreePlace(at('folder'))).toBe(false);
  writeFileSync(at('file'), '');
  expect(isFreePlace(at('file'))).toBe(false);
});

test('what was prepared beside a place moves into it in one step, over an empty directory too', () => {
  using scratch = scratchFolder();
  const place = join(scratch.path, 'deep', 'root');
  for (const round of ['one', 'two']) {
    const draft = makeBeside(place);
    expect(dirname(draft)).toBe(dirname(place));
    writeFileSync(join(draft, 'file'), round);
    moveIntoPlace(draft, place);
    expect(readFileSync(join(place, 'file'), 'utf8')).toBe(round);
    removeTree(place);
    mkdirSync(place);
  }
  expect(readdirSync(dirname(place))).toEqual(['root']);
});

test('parents that were made are taken back as far as they are empty, and none that was there before', () => {
  using scratch = scratchFolder();
  mkdirSync(join(scratch.path, 'mine'));
  makeParents(join(scratch.path, 'mine', 'a', 'b', 'root'))();
  expect(readdirSync(join(scratch.path, 'mine'))).toEqual([]);
  makeParents(join(scratch.path, 'mine', 'root'))();
  expect(readdirSync(scratch.path)).toEqual(['mine']);
  const takeBack = makeParents(join(scratch.path, 'mine', 'a', 'b', 'root'));
  writeFileSync(join(scratch.path, 'mine', 'a', 'theirs'), '');
  takeBack();
  expect(readdirSync(join(scratch.path, 'mine', 'a'))).toEqual(['theirs']);
});

test('moving into a place that is taken changes nothing', () => {
  using scratch = scratchFolder();
  const place = join(scratch.path, 'root');
  mkdirSync(place);
  writeFileSync(join(place, 'mine'), 'kept');
  const draft = makeBeside(place);
  expect(() => moveIntoPlace(draft, place)).toThrow(/ENOTEMPTY|EEXIST/);
  expect(readFileSync(join(place, 'mine'), 'utf8')).toBe('kept');
});

test('removing a tree follows no link out of it, and ignores a missing tree', () => {
  using scratch = scratchFolder();
  const [tree, outside] = [join(scratch.path, 'tree'), join(scratch.path, 'outside')];
  mkdirSync(join(tree, 'deep'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, 'file'), '');
  symlinkSync(outside, join(tree, 'deep', 'link'));
  removeTree(tree);
  removeTree(tree);
  expect(existsSync(tree)).toBe(false);
  expect(existsSync(join(outside, 'file'))).toBe(true);
});
