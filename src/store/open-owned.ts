import { describeError, LlmcError } from '../base/error.ts';
import type { Files } from '../base/ports.ts';
import { type Copy, newestSound } from './copies.ts';
import { type Database, damageIn, inspectDatabase, isDamage, newerText, openDatabase } from './database.ts';
import { settleRestored } from './settle-restored.ts';
import { hasRecord, recordIn } from './state-record.ts';

/** Files beside a database in use; they may hold the last writes. */
const BESIDE = ['-wal', '-shm'];

interface Surroundings {
  /** The folder with the copies of the database. */
  readonly copies: string;
  readonly files: Files;
  readonly stateIsKept: () => boolean;
  /** Whether a run can be read back from its files. */
  readonly runHasFiles: (run: string) => boolean;
  /** `recorded`: the history has it already. */
  readonly report: (what: string, options?: { readonly recorded: boolean }) => void;
}

/**
 * Opens the database for the root's owner. A damaged file is kept under another name as evidence and reported through `report`. Its
 * newest sound copy takes its place, or a new one, provided that `stateIsKept`: without the state nothing would know the workers, so
 * without it a database counts only with its record of the state. `fresh`: the database is new.
 */
export function openOwned(path: string, now: number, around: Surroundings): { readonly database: Database; readonly fresh: boolean } {
  const { files, report } = around;
  const stateIsKept = around.stateIsKept();
  const copy = () => newestSound(around.copies, files, stateIsKept ? undefined : hasRecord);
  if (!files.exists(path)) {
    const found = copy();
    // A new database would hide that nothing is left.
    if (found === undefined && !stateIsKept) throw nothingLeft('STATE_INVALID', `${path} is missing`);
    if (found === undefined) return { database: openDatabase(path), fresh: true };
    return { database: restore(path, found, { now, what: 'llmc.db was missing.', stateIsKept }, around), fresh: false };
  }
  const opened = openSound(path);
  const isUsable = typeof opened !== 'string' && (stateIsKept || recordIn(opened) !== undefined);
  if (isUsable) return { database: opened, fresh: false };
  const found = copy();
  if (typeof opened !== 'string') {
    opened.close();
    if (found === undefined) throw nothingLeft('STATE_INVALID', `${path} has no record of the state`);
  }
  const damage = typeof opened === 'string' ? opened : 'it has no record of the state';
  if (found === undefined && !stateIsKept) throw nothingLeft('DATABASE_ERROR', `${path} is damaged (${damage})`);
  const aside = setAside(path, now, files);
  const kept = `llmc.db was damaged (${damage}) and is kept as ${aside}.`;
  if (found !== undefined) return { database: restore(path, found, { now, what: kept, stateIsKept }, around), fresh: false };
  report(`${kept} A new one was started from state.json. The history and undelivered prompts are lost.`);
  return { database: openDatabase(path), fresh: false };
}

const nothingLeft = (code: 'STATE_INVALID' | 'DATABASE_ERROR', problem: string): LlmcError =>
  new LlmcError(code, `${problem}, and neither state.json nor its backup can be read`, {
    hint: 'llmc doctor --rebuild makes the state again from the branches llmc/* of the root.',
  });

function restoredText(at: number, stateIsKept: boolean): string {
  const keeper = stateIsKept ? 'state.json or its backup' : 'that copy';
  return `It was restored from the copy of ${new Date(at).toISOString()}. The history since then is lost; the workers are as ${keeper} has them.`;
}

interface Finding {
  readonly now: number;
  /** What was wrong, as a sentence. */
  readonly what: string;
  readonly stateIsKept: boolean;
}

function restore(path: string, copy: Copy, { now, what, stateIsKept }: Finding, { files, report, runHasFiles }: Surroundings): Database {
  // A log without its database belongs to the one that is gone, and must not be replayed into this one.
  for (const suffix of BESIDE) if (files.exists(`${path}${suffix}`)) files.rename(`${path}${suffix}`, `${path}.damaged-${now}${suffix}`);
  const draft = `${path}.restoring`;
  // Those of a restore that was killed.
  for (const suffix of BESIDE) files.remove(`${draft}${suffix}`);
  files.copy(copy.path, draft);
  // Before it is in its place: a crash in between must not leave prompts that would be sent again.
  const settling = openDatabase(draft);
  const told = settleRestored(settling, now, `${what} ${restoredText(copy.at, stateIsKept)}`, runHasFiles);
  settling.exec('PRAGMA journal_mode = DELETE');
  settling.close();
  files.rename(draft, path);
  for (const line of told) report(line, { recorded: true });
  return openDatabase(path);
}

/** The database, or what is wrong with it. Checks all pages now, so that a damaged one does not show up in the middle of a task. */
function openSound(path: string): Database | string {
  try {
    const database = openDatabase(path);
    const damage = damageIn(database);
    if (damage === undefined) return database;
    database.close();
    return damage;
  } catch (error) {
    if (error instanceof LlmcError && isDamage(error.cause)) return describeError(error.cause);
    throw error;
  }
}

/** Keeps a database that a newer llmc wrote under another name, so that the next opening restores a copy. The caller has the root's lock. */
export function setAsideNewer(path: string, now: number, files: Files): readonly string[] {
  const found = inspectDatabase(path);
  if (found.kind !== 'newer') return [];
  return [`${newerText('llmc.db', found)} and is kept as ${setAside(path, now, files, 'newer')}.`];
}

/** Renames the main file last: after a crash in between, an old log must not be replayed into a new database. */
function setAside(path: string, now: number, files: Files, why: 'damaged' | 'newer' = 'damaged'): string {
  const aside = `${path}.${why}-${now}`;
  for (const suffix of BESIDE) if (files.exists(`${path}${suffix}`)) files.rename(`${path}${suffix}`, `${aside}${suffix}`);
  files.rename(path, aside);
  return aside;
}
