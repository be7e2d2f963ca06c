import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LlmcError, messageOf } from '../base/error.ts';
import { createPrivate } from '../system/files/access.ts';
import { exists } from '../system/files/files.ts';
import { MIGRATIONS } from './migrations.ts';

export type Database = DatabaseSync;

/** How long to wait for another process that writes: on an overloaded machine it may pause in the middle. */
const PATIENCE_MS = 20_000;

/** Opens the root's database for its one owner, creating or upgrading its tables. */
export function openDatabase(path: string): Database {
  let database: Database | undefined;
  try {
    // SQLite gives the files beside it the same mode, and makes none for a database in memory.
    if (path !== ':memory:') createPrivate(path);
    database = new DatabaseSync(path, { timeout: PATIENCE_MS });
    // FULL: a row that says "about to type" must survive a power cut, or the prompt could be typed twice.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof LlmcError) throw error;
    throw cannot('open', path, error);
  }
}

/** For readers beside a running supervisor; WAL lets them read while it writes. */
export function openReadOnly(path: string): Database {
  let database: Database | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: PATIENCE_MS });
    // SQLite opens lazily: the first statement shows whether the file is a database at all.
    database.prepare('PRAGMA schema_version').get();
    return database;
  } catch (error) {
    database?.close();
    throw cannot('read', path, error);
  }
}

function cannot(what: 'open' | 'read', path: string, error: unknown): LlmcError {
  const hint = isDamage(error) ? 'llmc up --detach keeps a copy of it and starts a new database from state.json' : 'llmc doctor';
  return new LlmcError('DATABASE_ERROR', `cannot ${what} ${path}: ${messageOf(error)}`, { hint, cause: error });
}

/** What SQLite's quick check finds; undefined when the file is sound. */
export function damageIn(database: Database): string | undefined {
  try {
    const { quick_check: found } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
    return found === 'ok' ? undefined : String(found);
  } catch (error) {
    if (isDamage(error)) return messageOf(error);
    throw error;
  }
}

/** SQLITE_CORRUPT, SQLITE_NOTADB */
const DAMAGED: readonly unknown[] = [11, 26];

/** Extended codes keep the kind in their last byte. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && DAMAGED.includes(error.errcode & 0xff);
}

const PREPARED = new WeakMap<Database, Map<string, StatementSync>>();

/** Compiles each statement once per database. */
export function prepared(database: Database, sql: string): StatementSync {
  const statements = PREPARED.get(database) ?? new Map<string, StatementSync>();
  PREPARED.set(database, statements);
  const statement = statements.get(sql) ?? database.prepare(sql);
  statements.set(sql, statement);
  return statement;
}

export function inTransaction<T>(database: Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk makes SQLite roll back by itself; a second ROLLBACK would fail and hide the reason.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw isFull(error) ? diskFull(error) : error;
  }
}

/** SQLITE_FULL */
const FULL = 13;

function isFull(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === FULL;
}

function diskFull(cause: unknown): LlmcError {
  const message = 'the disk is full, so nothing was changed';
  return new LlmcError('DATABASE_ERROR', message, {
    hint: 'Free some space, then try again. Work that was under way continues by itself.',
    cause,
  });
}

/** Throws if a newer llmc has written the database. A missing or damaged one is left to its owner. */
export function requireKnownSchema(path: string): void {
  if (inspectDatabase(path).kind !== 'ok') return;
  using database = openReadOnly(path);
  schemaOf(database);
}

function schemaOf(database: Database): number {
  const row = database.prepare('PRAGMA user_version').get();
  const from = Number(row?.user_version ?? 0);
  if (from > MIGRATIONS.length) {
    throw new LlmcError(
      'DATABASE_ERROR',
      `the database was written by a newer llmc (schema ${from}, this one knows ${MIGRATIONS.length})`,
      {
        hint: 'Upgrade llmc.',
      },
    );
  }
  return from;
}

function migrate(database: Database): void {
  const from = schemaOf(database);
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < from) continue;
    inTransaction(database, () => database.exec(`${sql}; PRAGMA user_version = ${index + 1}`));
  }
}

export type DatabaseRead =
  | { readonly kind: 'ok' | 'missing' }
  /** `damaged`: no process can read it. `unreadable`: this process cannot read it now. */
  | { readonly kind: 'damaged' | 'unreadable'; readonly problem: string };

/** Checks the whole file without the root's lock. */
export function inspectDatabase(path: string): DatabaseRead {
  if (!exists(path)) return { kind: 'missing' };
  try {
    using database = openReadOnly(path);
    const problem = damageIn(database);
    return problem === undefined ? { kind: 'ok' } : { kind: 'damaged', problem };
  } catch (error) {
    const cause = error instanceof LlmcError ? error.cause : error;
    return { kind: isDamage(cause) ? 'damaged' : 'unreadable', problem: messageOf(cause) };
  }
}
