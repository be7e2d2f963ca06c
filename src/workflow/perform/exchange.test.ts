import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { treeFiles } from '../../system/files/tree-files.ts';
import { Exchange } from './exchange.ts';

const exchange = new Exchange(treeFiles);
let worktree: string;
let outside: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'llmc-exchange-'));
  worktree = join(folder, 'worktree');
  outside = join(folder, 'outside');
  for (const path of [worktree, outside]) mkdirSync(path);
  writeFileSync(join(outside, 'secret'), 'secret');
  return () => rmSync(folder, { recursive: true, force: true });
});

/** A file of that size without content, which takes no space. */
function sparse(path: string, bytes: number): void {
  writeFileSync(path, '');
  truncateSync(path, bytes);
}

const at = (...parts: readonly string[]) => join(worktree, '.llmc-task', ...parts);

describe('a new piece of work', () => {
  test('finds its files, and nothing of an earlier one', async () => {
    mkdirSync(at('out/deep'), { recursive: true });
    writeFileSync(at('out/deep/old.md'), 'old');
    await exchange.prepare(worktree, [
      { path: 'research/findings.md', text: 'found' },
      { path: 'review.diff', text: '+ a' },
    ]);
    expect(readFileSync(at('in/research/findings.md'), 'utf8')).toBe('found');
    expect(readFileSync(at('in/review.diff'), 'utf8')).toBe('+ a');
    expect(readdirSync(at('out'))).toEqual([]);
  });

  test('deletes and writes nothing behind links that an agent left', async () => {
    symlinkSync(outside, join(worktree, '.llmc-task'));
    await exchange.prepare(worktree, [{ path: 'note.md', text: 'new' }]);
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readFileSync(at('in/note.md'), 'utf8')).toBe('new');
  });

  test('deletes folders of any depth, and names that no terminal can show', async () => {
    let deep = at('out');
    mkdirSync(deep, { recursive: true });
    // Beyond the longest path that the system takes, so it is made in parts.
    const script =
      "const part = 'd/'.repeat(1000); for (let i = 0; i < 3; i += 1) { fs.mkdirSync(part, { recursive: true }); process.chdir(part); }";
    execFileSync(process.execPath, ['-e', script], { cwd: deep });
    deep = at('out', 'a\nb\u001b[2J..');
    mkdirSync(deep);
    writeFileSync(join(deep, '..\\..'), 'x');
    await exchange.prepare(worktree, []);
    expect(readdirSync(at('out'))).toEqual([]);
  });

  test('is refused where a link of an agent is on the way of a further file', async () => {
    await exchange.prepare(worktree, []);
    symlinkSync(outside, at('in/messages'));
    await expect(exchange.add(worktree, [{ path: 'messages/1.md', text: 'x' }])).rejects.toMatchObject({ code: 'FILESYSTEM_ERROR' });
    expect(existsSync(join(outside, '1.md'))).toBe(false);
  });
});

describe('what an agent left', () => {
  beforeEach(async () => {
    await exchange.prepare(worktree, []);
  });

  test('is read', async () => {
    writeFileSync(at('out/a.md'), 'text');
    expect(await exchange.read(worktree, 'a.md', 10)).toEqual({ kind: 'text', text: 'text' });
  });

  test.each([
    ['a file that is missing', () => undefined, 'missing'],
    ['a link to a file', () => symlinkSync(join(outside, 'secret'), at('out/a.md')), 'link'],
    ['a folder', () => mkdirSync(at('out/a.md')), 'folder'],
    ['a pipe, which nobody writes', () => execFileSync('mkfifo', [at('out/a.md')]), 'other'],
    ['a file of ten gigabytes without content', () => sparse(at('out/a.md'), 10 * 1024 ** 3), 'too_large'],
    [
      'a socket',
      () =>
        execFileSync(process.execPath, [
          '-e',
          `require('net').createServer().listen(${JSON.stringify(at('out/a.md'))}, () => process.exit())`,
        ]),
      'other',
    ],
    ['a file that is too large', () => writeFileSync(at('out/a.md'), 'x'.repeat(11)), 'too_large'],
  ])('is not read if it is %s', async (_, leave, kind) => {
    leave();
    expect(await exchange.read(worktree, 'a.md', 10)).toEqual({ kind });
  });

  test('is not read through a folder that is a link', async () => {
    symlinkSync(outside, at('out/deep'));
    expect(await exchange.read(worktree, 'deep/secret', 10)).toEqual({ kind: 'missing' });
  });
});
