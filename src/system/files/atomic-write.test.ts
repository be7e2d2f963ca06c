import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { atomicWrite } from './atomic-write.ts';

const FIXTURE = fileURLToPath(import.meta.resolve('./write-often.fixture.ts'));

test('a file is made or replaced, for this user only unless told otherwise', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'file');
  atomicWrite(path, 'one – 一');
  expect(readFileSync(path, 'utf8')).toBe('one – 一');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  atomicWrite(path, '', { mode: 0o644 });
  expect(readFileSync(path, 'utf8')).toBe('');
  expect(statSync(path).mode & 0o777).toBe(0o644);
  expect(readdirSync(scratch.path)).toEqual(['file']);
});

test('killed between writing and renaming, the old content stands', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'file');
  writeFileSync(path, 'old');
  expect(spawnSync(process.execPath, [FIXTURE, 'die', path])).toMatchObject({ signal: 'SIGKILL' });
  expect(readFileSync(path, 'utf8')).toBe('old');
  // What the dead process left must not stand in anybody's way.
  atomicWrite(path, 'newer');
  expect(readFileSync(path, 'utf8')).toBe('newer');
});

test('a write that does not fit leaves the old content and no draft', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'file');
  writeFileSync(path, 'old');
  // A limit on the size of files fails in the middle of writing, as a full disk does, and needs no disk of its own.
  const limited = spawnSync('sh', ['-c', 'trap "" XFSZ; ulimit -f 16; exec "$@"', 'sh', process.execPath, FIXTURE, 'fill', path]);
  expect(String(limited.stdout)).toBe('EFBIG');
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(scratch.path)).toEqual(['file']);
});

test('a place that cannot be replaced leaves no draft', () => {
  using scratch = scratchFolder();
  mkdirSync(join(scratch.path, 'folder', 'full'), { recursive: true });
  expect(() => atomicWrite(join(scratch.path, 'folder'), 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(scratch.path)).toEqual(['folder']);
  expect(() => atomicWrite(join(scratch.path, 'missing', 'file'), 'text')).toThrow(/ENOENT/);
});

test('a reader beside a busy writer sees one content or the other, never a mixture', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'file');
  const writer = spawn(process.execPath, [FIXTURE, 'loop', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(writer, 'exit');
  try {
    await once(writer.stdout, 'data');
    const seen = new Set<string>();
    const isDone = () => seen.size >= 2;
    for (let reading = 0; reading < 200 || (reading < 20_000 && !isDone()); reading += 1) {
      const text = readFileSync(path, 'utf8');
      expect(text).toHaveLength(100_000);
      seen.add([...new Set(text)].join(''));
    }
    expect([...seen].toSorted()).toEqual(['a', 'b']);
  } finally {
    writer.kill('SIGKILL');
    await ended;
  }
});
