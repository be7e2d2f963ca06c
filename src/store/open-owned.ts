import { LlmcError, messageOf } from '../base/error.ts';
import type { Files } from '../base/ports.ts';
import { type Database, damageIn, isDamage, openDatabase } from './database.ts';

/** Files beside a database in use; they may hold the last writes. */
const BESIDE = ['-wal', '-shm'];

interface Surroundings {
  readonly files: Files;
  readonly stateIsKept: () => boolean;
  readonly report: (what: string) => void;
}

/**
 * Opens the database for the root's owner. A damaged file is kept under another name as evidence, reported through `report`, and
 * replaced by a new one, provided that `stateIsKept`: without the state nothing would know the workers.
 */
export function openOwned(path: string, now: number, { files, stateIsKept, report }: Surroundings): Database {
  const opened = openSound(path);
  if (typeof opened !== 'string') return opened;
  if (!stateIsKept())
    throw new LlmcError('DATABASE_ERROR', `${path} is damaged (${opened}), and neither state.json nor its backup can be read`, {
      hint: 'Restore a copy of one of them. The commits of the workers are in the branches llmc/* of the root.',
    });
  const aside = setAside(path, now, files);
  report(
    `llmc.db was damaged (${opened}) and is kept as ${aside}. A new one was started from state.json. The history and undelivered prompts are lost.`,
  );
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
    if (error instanceof LlmcError && isDamage(error.cause)) return messageOf(error.cause);
    throw error;
  }
}

/** Renames the main file last: after a crash in between, an old log must not be replayed into a new database. */
function setAside(path: string, now: number, files: Files): string {
  const aside = `${path}.damaged-${now}`;
  for (const suffix of BESIDE) if (files.exists(`${path}${suffix}`)) files.rename(`${path}${suffix}`, `${aside}${suffix}`);
  files.rename(path, aside);
  return aside;
}
