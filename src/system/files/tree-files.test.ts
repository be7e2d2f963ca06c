import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { treeFiles } from './tree-files.ts';

test('files that are named by their hash are copied if they are missing and whole', async () => {
  using scratch = scratchFolder();
  const [from, to] = [join(scratch.path, 'from'), join(scratch.path, 'to')];
  const [whole, both, wrong] = ['large', 'both', 'wrong'].map((text) => createHash('sha256').update(text).digest('hex'));
  mkdirSync(join(from, 'deep', 'empty'), { recursive: true });
  mkdirSync(to);
  writeFileSync(join(from, 'deep', `${whole}`), 'large');
  writeFileSync(join(from, `${both}`), 'both');
  writeFileSync(join(to, `${both}`), 'mine');
  writeFileSync(join(from, `${wrong}`), 'not that');
  writeFileSync(join(from, 'another-name'), 'x');
  symlinkSync('/etc/passwd', join(from, 'link'));
  expect(await treeFiles.copyHashed(from, to)).toBe(1);
  expect(readFileSync(join(to, `${both}`), 'utf8')).toBe('mine');
  expect(statSync(join(to, 'deep', `${whole}`)).ino).not.toBe(statSync(join(from, 'deep', `${whole}`)).ino);
  expect(readdirSync(to, { recursive: true }).toSorted()).toEqual([both, 'deep', join('deep', `${whole}`)].toSorted());
  expect(await treeFiles.copyHashed(from, to)).toBe(0);
  expect(await treeFiles.copyHashed(join(scratch.path, 'none'), to)).toBe(0);
});

test('a copy makes the directories on its way and replaces what is there', async () => {
  using scratch = scratchFolder();
  const [from, to] = [join(scratch.path, 'from'), join(scratch.path, 'deep', 'to')];
  writeFileSync(from, 'one');
  await treeFiles.copy(from, to);
  writeFileSync(from, 'two');
  await treeFiles.copy(from, to);
  expect(await treeFiles.readText(to)).toBe('two');
});

test('a missing file is an answer, a directory in its place is not', async () => {
  using scratch = scratchFolder();
  expect(await treeFiles.readText(join(scratch.path, 'none'))).toBeUndefined();
  expect(await treeFiles.exists(join(scratch.path, 'none'))).toBe(false);
  expect(await treeFiles.exists(scratch.path)).toBe(true);
  await expect(treeFiles.readText(scratch.path)).rejects.toThrow(/is not a plain file/);
});

test('syncing over a directory, or from one, is refused', async () => {
  using scratch = scratchFolder();
  const [from, to] = [join(scratch.path, 'from'), join(scratch.path, 'to')];
  writeFileSync(from, 'text');
  mkdirSync(to);
  expect(await treeFiles.sync(from, to, scratch.path)).toBe('not-a-file');
  expect(await treeFiles.sync(to, join(scratch.path, 'other'), scratch.path)).toBe('not-a-file');
  expect(await treeFiles.sync(from, join(to, '..', '..', 'outside'), to)).toBe('outside');
});

test.runIf(process.platform === 'linux')(
  'a scratch folder is deleted without what a link leads to that takes the place of a folder in it',
  async () => {
    using outer = scratchFolder();
    const names = Array.from({ length: 300 }, (_, nth) => `name${nth}`);
    const [theirs, moved] = [join(outer.path, 'theirs'), join(outer.path, 'moved')];
    const scratch = await treeFiles.scratch();
    const inner = join(scratch.path, 'inner');
    for (const folder of [theirs, inner]) for (const name of names) mkdirSync(join(folder, name), { recursive: true });
    let ended = false;
    const removed = Promise.resolve(scratch[Symbol.asyncDispose]()).finally(() => {
      ended = true;
    });
    // The deletion goes on between these turns. The link comes when it has begun with the folder.
    while (!ended && !existsSync(moved)) {
      if (readdirSync(scratch.path).includes('inner') && readdirSync(inner).length < names.length) {
        renameSync(inner, moved);
        symlinkSync(theirs, inner);
      }
      await new Promise(setImmediate);
    }
    await removed.catch(() => undefined);
    rmSync(scratch.path, { recursive: true, force: true });
    expect(existsSync(moved)).toBe(true);
    expect(readdirSync(theirs).length).toBe(names.length);
  },
);

test('a scratch folder that another user keeps filling does not fail the command that made it', async () => {
  const scratch = await treeFiles.scratch();
  const inner = join(scratch.path, 'inner');
  for (let nth = 0; nth < 20; nth += 1) mkdirSync(join(inner, `name${nth}`), { recursive: true });
  let ended = false;
  const removed = Promise.resolve(scratch[Symbol.asyncDispose]()).finally(() => {
    ended = true;
  });
  for (let nth = 0; !ended; nth += 1) {
    if (existsSync(inner)) mkdirSync(join(inner, `more${nth}`));
    await new Promise(setImmediate);
  }
  await expect(removed).resolves.toBeUndefined();
  rmSync(scratch.path, { recursive: true, force: true });
});
