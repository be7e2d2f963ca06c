import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { readGrowth } from './growing-file.ts';

test('gives each line once, when it is whole', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'record');
  expect(readGrowth(path, undefined)).toBeUndefined();
  writeFileSync(path, 'one\ntw');
  const first = readGrowth(path, undefined);
  expect(first).toMatchObject({ text: 'one\n', fromStart: true, more: false });
  expect(readGrowth(path, first?.now)).toMatchObject({ text: '', fromStart: false });
  appendFileSync(path, 'o\nthré\n');
  const second = readGrowth(path, first?.now);
  expect(second).toMatchObject({ text: 'two\nthré\n', fromStart: false });
  expect(readGrowth(path, second?.now)).toMatchObject({ text: '', fromStart: false });
});

test('comes in portions that end with a line, however long one line is', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'record');
  const lines = ['a', 'b'.repeat(100), 'c', 'é'.repeat(20)];
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  const texts: string[] = [];
  for (
    let growth = readGrowth(path, undefined, 8);
    growth !== undefined;
    growth = growth.more ? readGrowth(path, growth.now, 8) : undefined
  )
    texts.push(growth.text);
  expect(texts.length).toBeGreaterThan(1);
  expect(texts.join('').split('\n')).toEqual([...lines, '']);
});

test('starts again with a file that was cut or replaced', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'record');
  writeFileSync(path, 'one\ntwo\n');
  const before = readGrowth(path, undefined)?.now;
  writeFileSync(path, 'six\n');
  expect(readGrowth(path, before)).toMatchObject({ text: 'six\n', fromStart: true });
  writeFileSync(join(scratch.path, 'other'), 'seven\neight\nnine\n');
  renameSync(join(scratch.path, 'other'), path);
  expect(readGrowth(path, before)).toMatchObject({ text: 'seven\neight\nnine\n', fromStart: true });
});
