import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { emptyBeneath, openBeneath, removeBeneath } from './beneath.ts';

function begun(path: string) {
  const [base, outside] = [join(path, 'base'), join(path, 'outside')];
  for (const folder of [join(base, 'a/b'), join(outside, 'b')]) mkdirSync(folder, { recursive: true });
  for (const file of [join(base, 'a/b/mine'), join(outside, 'b/theirs')]) writeFileSync(file, 'x');
  return { base, outside, theirs: join(outside, 'b/theirs') };
}

test('a folder is deleted with what is in it, and links in it without what they point at', async () => {
  using scratch = scratchFolder();
  const { base, outside, theirs } = begun(scratch.path);
  symlinkSync(outside, join(base, 'a/b/link'));
  writeFileSync(Buffer.concat([Buffer.from(`${base}/a/b/`), Buffer.from([0xff, 0xfe])]), 'not UTF-8');
  await removeBeneath(base, 'a');
  expect(readdirSync(base)).toEqual([]);
  expect(existsSync(theirs)).toBe(true);
  await removeBeneath(base, 'a');
});

test('nothing is deleted through a link on the way, in the place of the folder, or in the place of the base', async () => {
  using scratch = scratchFolder();
  const { base, outside, theirs } = begun(scratch.path);
  symlinkSync(outside, join(base, 'linked'));
  symlinkSync(base, join(scratch.path, 'base link'));
  await removeBeneath(base, 'linked/b/theirs');
  await emptyBeneath(base, 'linked/b');
  await emptyBeneath(base, 'linked');
  await emptyBeneath(join(scratch.path, 'base link'), 'a');
  expect(existsSync(theirs)).toBe(true);
  expect(existsSync(join(base, 'a/b/mine'))).toBe(true);
  await removeBeneath(base, 'linked');
  expect(readdirSync(base)).toEqual(['a']);
});

test.for(['..', 'a/../..', '/etc', 'a//b', '.', 'a/.', 'a\0b'])('%j is not a path below a folder', async (path) => {
  using scratch = scratchFolder();
  const { base } = begun(scratch.path);
  expect(await openBeneath(base, path)).toBeUndefined();
  await expect(removeBeneath(base, path)).rejects.toThrow(/not a path below/);
});

test.runIf(process.platform === 'linux')('a folder that was opened stays the same folder when a link takes its place', async () => {
  using scratch = scratchFolder();
  const { base, outside } = begun(scratch.path);
  await using opened = await openBeneath(base, 'a/b');
  renameSync(join(base, 'a'), join(base, 'moved'));
  symlinkSync(outside, join(base, 'a'));
  expect(readdirSync(opened?.here ?? '')).toEqual(['mine']);
});

test('a folder is made on the way if asked, never behind a link', async () => {
  using scratch = scratchFolder();
  const { base, outside } = begun(scratch.path);
  symlinkSync(outside, join(base, 'linked'));
  await using made = await openBeneath(base, 'x/y', { make: true });
  expect(made).toBeDefined();
  expect(await openBeneath(base, 'linked/z', { make: true })).toBeUndefined();
  expect(readdirSync(outside)).toEqual(['b']);
});

test.runIf(process.platform === 'linux')('a folder that is swapped for a link while it is deleted does not lead outside', async () => {
  using scratch = scratchFolder();
  const { base, outside, theirs } = begun(scratch.path);
  for (let nth = 0; nth < 40; nth += 1) mkdirSync(join(base, `a/b/c${nth}`));
  let ended = false;
  const removed = removeBeneath(base, 'a').finally(() => {
    ended = true;
  });
  // The deletion goes on between these turns.
  for (let swaps = 0; !ended && swaps < 10_000; swaps += 1) {
    try {
      renameSync(join(base, 'a/b'), join(base, 'moved'));
      symlinkSync(outside, join(base, 'a/b'));
    } catch {
      // It is gone by now.
    }
    await new Promise(setImmediate);
  }
  await removed.catch(() => undefined);
  expect(existsSync(theirs)).toBe(true);
});
