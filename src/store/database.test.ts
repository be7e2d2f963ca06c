import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/repo/scratch.ts';
import { scratchDatabase } from '../../test/support/scratch-store.ts';
import {
  inspectDatabase,
  inTransaction,
  noteWriter,
  openDatabase,
  openReadOnly,
  openReadOnlyAnywhere,
  openWithoutTrace,
  WRITE_PATIENCE_MS,
} from './database.ts';
import { MIGRATIONS } from './migrations.ts';

test('a new database has every table, and opening it again changes nothing', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'llmc.db');
  for (const _round of [1, 2]) {
    const database = openDatabase(path);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").all();
    expect(tables.map(({ name }) => name)).toEqual([
      'answers',
      'breakers',
      'checkpoints',
      'clocks',
      'deliveries',
      'drafts',
      'error_log',
      'events',
      'heartbeat',
      'history',
      'kept_notices',
      'ladders',
      'landings',
      'patrols',
      'pool_making',
      'queue',
      'rejections',
      'resolutions',
      'run_checks',
      'run_events',
      'run_history',
      'run_items',
      'run_plans',
      'run_questions',
      'run_retries',
      'run_tasks',
      'runs',
      'said',
      'seals',
      'state_journal',
      'task_reports',
      'tasks',
      'undos',
      'usage_counted',
      'usage_days',
      'validations',
      'writer',
    ]);
    database.close();
  }
});

test('what is written survives a power cut: write-ahead log, waiting for the disk', () => {
  using scratch = scratchDatabase();
  expect(scratch.database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(scratch.database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
});

test('a database of a newer llmc is refused untouched', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'llmc.db');
  const newer = openDatabase(path);
  noteWriter(newer, '9.8.7');
  newer.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
  newer.close();
  expect(() => openDatabase(path)).toThrow(
    expect.objectContaining({
      code: 'DATABASE_ERROR',
      message: expect.stringContaining('written by llmc 9.8.7'),
      hint: expect.stringMatching(/^Use llmc 9\.8\.7 or a newer one\. .*llmc doctor --repair/),
    }),
  );
  expect(inspectDatabase(path)).toEqual({ kind: 'newer', schema: MIGRATIONS.length + 1, llmc: '9.8.7' });
  const again = new DatabaseSync(path, { readOnly: true });
  expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length + 1 });
  again.close();
});

test('a file that is not a database, or is not readable, is an error with a hint', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'llmc.db');
  expect(() => openReadOnly(path)).toThrow(expect.objectContaining({ code: 'DATABASE_ERROR', hint: 'llmc doctor' }));
  writeFileSync(path, 'these are not the rows you are looking for '.repeat(100));
  for (const open of [openDatabase, openReadOnly, openReadOnlyAnywhere, openWithoutTrace])
    expect(() => open(path)).toThrow(
      expect.objectContaining({ code: 'DATABASE_ERROR', hint: expect.stringMatching(/^llmc up --replace --detach/) }),
    );
});

test('a reader sees what is committed while the owner writes, and can change nothing', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'llmc.db');
  const owner = openDatabase(path);
  const reader = openReadOnly(path);
  const count = () => reader.prepare('SELECT count(*) AS count FROM state_journal').get();
  try {
    inTransaction(owner, () => {
      owner.exec("INSERT INTO state_journal VALUES (1, 1, '{}')");
      expect(count()).toEqual({ count: 0 });
    });
    expect(count()).toEqual({ count: 1 });
    expect(() => reader.exec('DELETE FROM state_journal')).toThrow(/readonly/);
  } finally {
    reader.close();
    owner.close();
  }
});

test('a transaction that fails leaves no trace, and its own error', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  const failing = () =>
    inTransaction(database, () => {
      database.exec("INSERT INTO state_journal VALUES (1, 1, '{}')");
      throw new Error('changed my mind');
    });
  expect(failing).toThrow('changed my mind');
  expect(database.prepare('SELECT count(*) AS count FROM state_journal').get()).toEqual({ count: 0 });
  expect(inTransaction(database, () => 'next')).toBe('next');
});

test('a full disk is called one, nothing is written, and all works again once there is room', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  const write = () => inTransaction(database, () => database.exec('INSERT INTO state_journal VALUES (1, 1, hex(randomblob(100000)))'));
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {};
  database.exec(`PRAGMA max_page_count = ${String(pages)}`);
  expect(write).toThrow(expect.objectContaining({ code: 'DATABASE_ERROR', message: expect.stringContaining('the disk is full') }));
  expect(database.prepare('SELECT count(*) AS count FROM state_journal').get()).toEqual({ count: 0 });
  database.exec('PRAGMA max_page_count = 1000000');
  write();
  expect(database.prepare('SELECT count(*) AS count FROM state_journal').get()).toEqual({ count: 1 });
});

test('a database that another program has locked is an error with a command that helps, waited for once, and changes nothing', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  database.exec('CREATE TABLE trial (x); PRAGMA busy_timeout = 10');
  const patience = () => Object.values(database.prepare('PRAGMA busy_timeout').get() ?? {})[0];
  const write = () => inTransaction(database, () => database.exec('INSERT INTO trial VALUES (1)'));
  using other = new DatabaseSync(database.location() ?? '');
  other.exec('BEGIN EXCLUSIVE');
  const locked = { code: 'DATABASE_ERROR', hint: expect.stringContaining(`fuser -v ${database.location()}`) };
  for (const _try of [1, 2]) expect(write).toThrow(expect.objectContaining(locked));
  expect(patience()).toBe(50);
  other.exec('ROLLBACK');
  write();
  expect(patience()).toBe(WRITE_PATIENCE_MS);
  expect(database.prepare('SELECT count(*) AS rows FROM trial').get()).toEqual({ rows: 1 });
});

test('a file whose owner was killed before it had tables is read as an empty database', () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'llmc.db');
  new DatabaseSync(path).close();
  using database = openReadOnly(path);
  expect(database.prepare('SELECT count(*) AS events FROM history').get()).toEqual({ events: 0 });
  expect(new DatabaseSync(path, { readOnly: true }).prepare('PRAGMA user_version').get()).toEqual({ user_version: 0 });
});
