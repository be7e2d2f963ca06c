import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { findScratchFolder, makeScratchFolder, sweepScratchFolders } from './scratch-folder.ts';

const MODULE = import.meta.resolve('./scratch-folder.ts');

/** A process that makes a folder of each kind in `directory`, and then lives until it is killed. */
async function maker(directory: string) {
  const script = `const { makeScratchFolder } = await import(process.argv[1]);
    for (const kind of ['private', 'plain']) console.log(await makeScratchFolder(kind));
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, MODULE], {
    env: { ...process.env, TMPDIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'] as const,
  });
  const folders: string[] = [];
  for await (const data of child.stdout) {
    folders.push(...String(data).split('\n').filter(Boolean));
    if (folders.length === 2) break;
  }
  return {
    folders,
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test('folders of a living process stay; once it was killed they are removed, with what is in them', async () => {
  using scratch = scratchFolder();
  const { folders, kill } = await maker(scratch.path);
  for (const folder of folders) writeFileSync(join(folder, 'index'), 'x');
  const kept = await sweepScratchFolders(scratch.path);
  await kill();
  expect([kept, readdirSync(scratch.path).length]).toEqual([0, 2]);
  expect(await sweepScratchFolders(scratch.path, (process.getuid?.() ?? 0) + 1)).toBe(0);
  expect(await sweepScratchFolders(scratch.path)).toBe(2);
  expect(readdirSync(scratch.path)).toEqual([]);
});

test('a link, a file, the folder of another container and every other name stay', async () => {
  using scratch = scratchFolder();
  const { folders, kill } = await maker(scratch.path);
  await kill();
  const [name = ''] = folders.map((folder) => basename(folder));
  const named = (end: string) => join(scratch.path, `${name.slice(0, -6)}${end}`);
  const others = [name.replace(/-[0-9a-f]{8}-/, '-00000000-'), 'llmc-demo-abcdef', 'llmc-private-abcdef', 'notes'];
  for (const other of others) mkdirSync(join(scratch.path, other));
  mkdirSync(join(scratch.path, 'notes', 'target'));
  symlinkSync(join(scratch.path, 'notes'), named('link00'));
  writeFileSync(named('file00'), '');
  expect(await sweepScratchFolders(scratch.path)).toBe(2);
  expect(readdirSync(scratch.path).toSorted()).toEqual([...others, basename(named('link00')), basename(named('file00'))].toSorted());
  expect(existsSync(join(scratch.path, 'notes', 'target'))).toBe(true);
});

test('only a private folder is one that a sandbox may show', async () => {
  using scratch = scratchFolder();
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = scratch.path;
  try {
    const [own, plain] = [await makeScratchFolder('private'), await makeScratchFolder('plain')];
    expect([findScratchFolder(join(own, 'a', 'b')), findScratchFolder(join(plain, 'a'))]).toEqual([own, undefined]);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});
