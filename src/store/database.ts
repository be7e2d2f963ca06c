import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { describeError, LlmcError } from '../base/error.ts';
import { findRefusal } from '../base/refusal.ts';
import { refusalHint, refusalText } from '../base/refusal-text.ts';
import { createPrivate } from '../system/files/access.ts';
import { exists } from '../system/files/files.ts';
import { withSystemReason } from '../system/files/open-refusal.ts';
import { MIGRATIONS } from './migrations.ts';

export type Database = DatabaseSync;

/** How long to wait for another process that writes: on an overloaded machine it may pause in the middle. */
const PATIENCE_MS = 20_000;
/**
 * The same for a write of the owner. Only a program that is not llmc can be in its way, and SQLite stops the whole process meanwhile:
 * the supervisor would answer nobody. Once a write has waited without success, the next ones do not wait until one succeeds.
 */
export const WRITE_PATIENCE_MS = 5_000;
const LOCKED_PATIENCE_MS = 50;

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
    database.exec(`PRAGMA busy_timeout = ${WRITE_PATIENCE_MS}`);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof LlmcError) throw error;
    throw cannot('open', path, error);
  }
}

/** For readers beside a running supervisor; WAL lets them read while it writes. */
export function openReadOnly(path: string): Database {
  return openToRead(path, path);
}

function openToRead(path: string, place: string | URL): Database {
  let database: Database | undefined;
  try {
    database = new DatabaseSync(place, { readOnly: true, timeout: PATIENCE_MS });
    // SQLite opens lazily: the first statement shows whether the file is a database at all.
    if (readSchema(database) > 0) return database;
    // Its owner was killed before the file had tables, and has recorded nothing.
    database.close();
    return openDatabase(':memory:');
  } catch (error) {
    database?.close();
    throw cannot('read', path, error);
  }
}

/** For readers of a root that may be on a read-only file system: there, nobody writes, and the files of a reader cannot be made. */
export function openReadOnlyAnywhere(path: string): Database {
  try {
    return openReadOnly(path);
  } catch (error) {
    if (exists(`${path}-wal`)) throw error;
    return openWithoutTrace(path);
  }
}

/**
 * For one look that must leave no trace. A reader of a WAL database makes the files beside it and cannot remove them, unless it is told that
 * nobody writes: so it is when they are not there.
 */
export function openWithoutTrace(path: string): Database {
  if (exists(`${path}-wal`)) return openReadOnly(path);
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return openToRead(path, url);
}

function cannot(what: 'open' | 'read', path: string, found: unknown): LlmcError {
  const error = withSystemReason(found);
  const refusal = findRefusal(error);
  const other = refusal === undefined ? 'llmc doctor' : refusalHint(refusal, path);
  const hint = isDamage(error) ? 'llmc up --replace --detach keeps it under another name and restores its newest copy' : other;
  return new LlmcError('DATABASE_ERROR', `cannot ${what} ${path}: ${refusal === undefined ? describeError(error) : refusalText(refusal)}`, {
    hint,
    cause: error,
  });
}

/** What SQLite's quick check finds; undefined when the file is sound. */
export function damageIn(database: Database): string | undefined {
  try {
    const { quick_check: found } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
    return found === 'ok' ? undefined : String(found);
  } catch (error) {
    if (isDamage(error)) return describeError(error);
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

/** The databases that another program had locked for longer than a write waits. */
const LOCKED = new WeakSet<Database>();

/** All of the work is written, or nothing. A refusal of the system, such as a full disk, is an error with a hint. */
export function inTransaction<T>(database: Database, work: () => T): T {
  try {
    database.exec('BEGIN IMMEDIATE');
    const result = work();
    database.exec('COMMIT');
    noteLocked(database, false);
    return result;
  } catch (error) {
    // A full disk makes SQLite roll back by itself; a second ROLLBACK would fail and hide the reason.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw asRefusal(database, error);
  }
}

function asRefusal(database: Database, error: unknown): unknown {
  const refusal = error instanceof LlmcError ? undefined : findRefusal(error);
  if (refusal === undefined) return error;
  noteLocked(database, refusal === 'database_locked');
  const hint = `${refusalHint(refusal, database.location() ?? undefined)}. Work that was under way continues by itself.`;
  return new LlmcError('DATABASE_ERROR', `${refusalText(refusal)}, so nothing was changed`, { hint, cause: error });
}

function noteLocked(database: Database, locked: boolean): void {
  if (LOCKED.has(database) === locked) return;
  if (locked) LOCKED.add(database);
  else LOCKED.delete(database);
  database.exec(`PRAGMA busy_timeout = ${locked ? LOCKED_PATIENCE_MS : WRITE_PATIENCE_MS}`);
}

/** Throws if a newer llmc has written the database. A missing or damaged one is left to its owner. */
export function requireKnownSchema(path: string): void {
  const found = inspectDatabase(path);
  if (found.kind === 'newer') throw writtenByNewer(found);
}

/** What a database of a newer llmc tells about it. */
export interface NewerDatabase {
  readonly schema: number;
  /** The version of that llmc; undefined if it recorded none. */
  readonly llmc: string | undefined;
}

function writtenByNewer(newer: NewerDatabase): LlmcError {
  return new LlmcError('DATABASE_ERROR', newerText('llmc.db', newer), {
    hint: `${upgradeText(newer)} Without it, llmc doctor --repair goes back to the last copy that this llmc can read.`,
  });
}

export const newerText = (file: string, { schema, llmc }: NewerDatabase): string =>
  `${file} was written by ${llmc === undefined ? 'a newer llmc' : `llmc ${llmc}`} (schema ${schema}, this one knows ${MIGRATIONS.length})`;

export const upgradeText = ({ llmc }: NewerDatabase): string =>
  llmc === undefined ? 'Use the llmc that wrote it, or a newer one.' : `Use llmc ${llmc} or a newer one.`;

function newerIn(database: Database): NewerDatabase | undefined {
  const schema = readSchema(database);
  return schema > MIGRATIONS.length ? { schema, llmc: readWriter(database) } : undefined;
}

const readSchema = (database: Database): number => Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);

/** A newer llmc may keep it elsewhere. */
function readWriter(database: Database): string | undefined {
  try {
    const { llmc } = database.prepare('SELECT llmc FROM writer').get() ?? {};
    return typeof llmc === 'string' && /^[\w.+-]{1,40}$/.test(llmc) ? llmc : undefined;
  } catch {
    return undefined;
  }
}

/** Records which llmc writes here, for an older one that finds the database later. */
export function noteWriter(database: Database, llmc: string): void {
  if (readWriter(database) === llmc) return;
  database.prepare('INSERT INTO writer (only_row, llmc) VALUES (1, ?) ON CONFLICT DO UPDATE SET llmc = excluded.llmc').run(llmc);
}

function migrate(database: Database): void {
  const newer = newerIn(database);
  if (newer !== undefined) throw writtenByNewer(newer);
  const from = readSchema(database);
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < from) continue;
    inTransaction(database, () => database.exec(`${sql}; PRAGMA user_version = ${index + 1}`));
  }
}

export type DatabaseRead =
  | { readonly kind: 'ok' | 'missing' }
  /** Sound, and written by a newer llmc. */
  | ({ readonly kind: 'newer' } & NewerDatabase)
  /** `damaged`: no process can read it. `unreadable`: this process cannot read it now. */
  | { readonly kind: 'damaged' | 'unreadable'; readonly problem: string };

/** Checks the whole file without the root's lock. */
export function inspectDatabase(path: string): DatabaseRead {
  if (!exists(path)) return { kind: 'missing' };
  try {
    using database = openReadOnly(path);
    const problem = damageIn(database);
    if (problem !== undefined) return { kind: 'damaged', problem };
    const newer = newerIn(database);
    return newer === undefined ? { kind: 'ok' } : { kind: 'newer', ...newer };
  } catch (error) {
    const cause = error instanceof LlmcError ? error.cause : error;
    return { kind: isDamage(cause) ? 'damaged' : 'unreadable', problem: describeError(cause) };
  }
}
