import { existsSync, renameSync } from 'node:fs';
import { LlmcError, messageOf } from '../base/error.ts';
import { type Database, damageIn, isDamage, openDatabase } from './database.ts';

/** What lies beside a database in use: what was written last may still be in there. */
const BESIDE = ['-wal', '-shm'];

/**
 * The database for the root's one owner. A damaged one is evidence: it is set aside, never overwritten, and a new one begins;
 * `told` hears of it. Only where `stateIsKept` elsewhere, else nothing would know the workers any more.
 */
export function openOwned(path: string, now: number, stateIsKept: () => boolean, told: (what: string) => void): Database {
  const opened = openSound(path);
  if (typeof opened !== 'string') return opened;
  if (!stateIsKept())
    throw new LlmcError('DATABASE_ERROR', `${path} is damaged (${opened}), and neither state.json nor its backup can be read`, {
      hint: 'Put back a copy of one of them. What the workers committed is in the branches llmc/* of the root.',
    });
  const aside = setAside(path, now);
  told(
    `llmc.db was damaged (${opened}) and is kept as ${aside}; a new one begins from state.json. The history and prompts still on their way are lost.`,
  );
  return openDatabase(path);
}

/** The database, or what is wrong with it. A page in the middle may be damaged too: found now, not at some row in the middle of a task. */
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

/** The main file last: a crash in between must not leave an old log to be replayed into a new database. */
function setAside(path: string, now: number): string {
  const aside = `${path}.damaged-${now}`;
  for (const suffix of BESIDE) if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${aside}${suffix}`);
  renameSync(path, aside);
  return aside;
}
