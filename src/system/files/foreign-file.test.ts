import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { plainSize, readEnd, readForeign, readOwnText } from './foreign-file.ts';
import { readGrowth } from './growing-file.ts';
import { list } from './listing.ts';
import { readTextFile } from './text-file.ts';

/** What an agent may put in the place of a file. Reading it plainly would hang, fail, or take all memory. */
const TRAPS: readonly (readonly [string, (path: string) => void])[] = [
  ['a pipe without a writer', (path) => execFileSync('mkfifo', [path])],
  ['a link to an endless device', (path) => symlinkSync('/dev/zero', path)],
  ['a link to itself', (path) => symlinkSync(path, path)],
  ['a folder', (path) => mkdirSync(path)],
  [
    'ten gigabytes of nothing',
    (path) => {
      writeFileSync(path, '');
      truncateSync(path, 10 * 1024 ** 3);
    },
  ],
  ['nothing at all', () => undefined],
];

describe.each(TRAPS)('%s in the place of a file of an agent', (_, set) => {
  test('reads as no file', () => {
    using scratch = scratchFolder();
    const path = join(scratch.path, 'trap');
    set(path);
    expect(readForeign(path, 1_000)).toBeUndefined();
    expect(readGrowth(path, undefined)).toBeUndefined();
    expect(readEnd(path, 1_000)?.text ?? '').toBe('');
  });
});

describe.each(TRAPS.slice(0, 5))('%s in the place of a file of llmc', (_, set) => {
  test('is an error at once', () => {
    using scratch = scratchFolder();
    const path = join(scratch.path, 'trap');
    set(path);
    expect(() => readOwnText(path)).toThrow();
  });
});

test('a link in the place of an agent’s file is not followed, also to a plain file', () => {
  using scratch = scratchFolder();
  writeFileSync(join(scratch.path, 'secret'), 'secret\n');
  const path = join(scratch.path, 'link');
  symlinkSync('secret', path);
  expect([readForeign(path, 100), readEnd(path, 100), readGrowth(path, undefined)]).toEqual([undefined, undefined, undefined]);
  expect(readOwnText(path), 'people link their config.toml').toBe('secret\n');
});

test('the end of a file begins with a whole line', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'lines');
  writeFileSync(path, 'one\ntwo\nthree\n');
  expect(readEnd(path, 100)).toEqual({ text: 'one\ntwo\nthree\n', start: 0, size: 14 });
  expect(readEnd(path, 8)).toEqual({ text: 'three\n', start: 8, size: 14 });
  expect(readEnd(path, 3)).toEqual({ text: '', start: 14, size: 14 });
});

test('the end of a file from a byte on has no line that began before it', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'lines');
  writeFileSync(path, 'one\ntwo\nthree\n');
  expect(readEnd(path, 100, 4)).toEqual({ text: 'two\nthree\n', start: 4, size: 14 });
  expect(readEnd(path, 100, 5)).toEqual({ text: 'three\n', start: 8, size: 14 });
  for (const from of [14, 99]) expect(readEnd(path, 100, from)).toEqual({ text: '', start: 14, size: 14 });
});

test('a file is absent only when the system says so', () => {
  using scratch = scratchFolder();
  const at = (name: string) => join(scratch.path, name);
  writeFileSync(at('plain'), 'four');
  symlinkSync('loop', at('loop'));
  mkdirSync(at('folder'));
  symlinkSync('nowhere', at('dangling'));
  const names = ['plain', 'missing', 'missing/below', 'plain/below', 'loop/below', 'folder', 'dangling'];
  expect(names.map((name) => plainSize(at(name)))).toEqual([4, 'absent', 'absent', 'absent', 'unknown', 'unknown', 'unknown']);
});

test('a line of a growing file that is far too long is dropped, and the lines after it are read', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'lines');
  writeFileSync(path, '');
  truncateSync(path, 200 * 1024 ** 2);
  writeFileSync(path, '\n{"after":1}\n', { flag: 'a' });
  const texts: string[] = [];
  for (let growth = readGrowth(path, undefined); growth !== undefined; growth = growth.more ? readGrowth(path, growth.now) : undefined)
    texts.push(growth.text);
  expect(texts.length, 'in portions').toBeGreaterThan(3);
  expect(texts.join('').split('\n').slice(1)).toEqual(['{"after":1}', '']);
});

test('a folder is listed up to a number of entries', () => {
  using scratch = scratchFolder();
  for (const name of 'abcde') writeFileSync(join(scratch.path, name), '');
  const { files, more } = list(scratch.path, 3);
  expect(files).toHaveLength(3);
  expect(more).toBe(true);
  expect(list(scratch.path, 5)).toMatchObject({ more: false });
});

test('a file that llmc reads by itself is not waited for if it is a pipe, and not read if it is too large', async () => {
  using scratch = scratchFolder();
  const [pipe, large] = [join(scratch.path, 'pipe'), join(scratch.path, 'large')];
  execFileSync('mkfifo', [pipe]);
  writeFileSync(large, 'x'.repeat(11));
  expect(await readTextFile(pipe, 10)).toEqual({ kind: 'failed', reason: 'it is not a plain file' });
  expect(await readTextFile(large, 10)).toEqual({ kind: 'failed', reason: 'it is larger than 10 bytes' });
  expect(await readTextFile(large)).toEqual({ kind: 'text', text: 'x'.repeat(11) });
});
