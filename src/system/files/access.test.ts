import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { openDatabase } from '../../store/database.ts';
import { tryLock } from '../lock.ts';
import { accessTo, createPrivate, restrict } from './access.ts';
import { systemFiles } from './system-files.ts';

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

describe('a file that llmc makes', () => {
  test('is for this user alone, also a database and the files that SQLite keeps beside it', () => {
    using scratch = scratchFolder();
    const at = (name: string) => join(scratch.path, name);
    using database = openDatabase(at('llmc.db'));
    database.exec('CREATE TABLE t (x); INSERT INTO t VALUES (1)');
    using _lock = tryLock(at('lock'));
    systemFiles.append(at('log'), 'line');
    systemFiles.writePrivate(at('private'), 'text');
    systemFiles.copy(at('private'), at('copy'));
    const made = ['llmc.db', 'llmc.db-wal', 'llmc.db-shm', 'lock', 'log', 'private', 'copy'];
    expect(made.map((name) => `${name} ${modeOf(at(name))}`)).toEqual(made.map((name) => `${name} 600`));
  });

  test('that was left open is restricted when it is opened', () => {
    using scratch = scratchFolder();
    const path = join(scratch.path, 'llmc.db');
    writeFileSync(path, '', { mode: 0o644 });
    openDatabase(path).close();
    expect(modeOf(path)).toBe('600');
  });
});

test('opening a lock again does not drop it', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'lock');
  using held = tryLock(path);
  expect(held).toBeDefined();
  createPrivate(path);
  expect(tryLock(path)).toBeUndefined();
});

test('access is told and taken away, but not through a link', () => {
  using scratch = scratchFolder();
  const at = (name: string) => join(scratch.path, name);
  const [folder, file, link] = [at('folder'), at('file'), at('link')];
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  writeFileSync(file, '');
  chmodSync(file, 0o644);
  symlinkSync(file, link);
  expect([folder, file, link, join(scratch.path, 'none')].map(accessTo)).toEqual(['open', 'open', undefined, undefined]);
  expect([folder, link].map(restrict)).toEqual([true, false]);
  expect([folder, file].map(modeOf)).toEqual(['700', '644']);
  expect(restrict(folder), 'nothing left to take').toBe(false);
});

describe('a link in the place of a file that llmc writes', () => {
  test.each<[string, (path: string) => void]>([
    ['writePrivate', (path) => systemFiles.writePrivate(path, 'new')],
    ['replace', (path) => systemFiles.replace(path, 'new')],
    ['copy', (path) => systemFiles.copy(`${path}.from`, path)],
  ])('is replaced by %s, not followed', (_, write) => {
    using scratch = scratchFolder();
    const [path, outside] = [join(scratch.path, 'file'), join(scratch.path, 'outside')];
    writeFileSync(outside, 'precious');
    writeFileSync(`${path}.from`, 'new');
    symlinkSync(outside, path);
    // The name under which the new content is written first can be guessed too.
    symlinkSync(outside, join(scratch.path, `.file.${process.pid}.tmp`));
    write(path);
    expect(readFileSync(outside, 'utf8')).toBe('precious');
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  test('is not appended to', () => {
    using scratch = scratchFolder();
    const path = join(scratch.path, 'log');
    symlinkSync(join(scratch.path, 'outside'), path);
    expect(() => systemFiles.append(path, 'line')).toThrow();
    expect(existsSync(join(scratch.path, 'outside'))).toBe(false);
  });
});
