import { type Stats, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeError, LlmcError } from '../base/error.ts';
import type { Clock, Random } from '../base/ports.ts';
import { findRefusal } from '../base/refusal.ts';
import { refusalHint, refusalText } from '../base/refusal-text.ts';
import { createPrivate } from './files/access.ts';
import { withSystemReason } from './files/open-refusal.ts';

/** SQLite's result code for a lock that another process holds. */
const SQLITE_BUSY = 5;
/** Its result codes for a file that is not a database, or a broken one. */
const SQLITE_BROKEN: readonly unknown[] = [11, 26];

/** Keeps a reference to each connection: without one, the garbage collector closes it and frees the lock while its owner runs. */
const HELD = new Set<DatabaseSync>();

export interface Lock extends Disposable {
  release(): void;
  /** Whether its file was removed or replaced, so that another process can have the lock too. */
  isLost(): boolean;
}

/**
 * A lock that the kernel frees on `kill -9` and that children do not inherit: an open
 * exclusive transaction on a small database file. POSIX drops such a lock when the
 * process closes any other handle on the same file, so no other code may open it.
 */
export function tryLock(path: string): Lock | undefined {
  let database: DatabaseSync | undefined;
  let locked: Stats | undefined;
  try {
    createPrivate(path);
    database = begun(path) ?? begun(path);
    locked = lookAt(path);
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    const cause = withSystemReason(error);
    const refusal = findRefusal(cause);
    const why = refusal === undefined ? describeError(cause) : refusalText(refusal);
    const hint = refusal === undefined ? 'llmc doctor' : refusalHint(refusal, dirname(path));
    throw new LlmcError('FILESYSTEM_ERROR', `the lock ${path} cannot be taken: ${why}`, { hint, cause });
  }
  if (database === undefined) return undefined;
  const opened = database;
  HELD.add(opened);
  const release = () => {
    if (HELD.delete(opened)) opened.close();
  };
  const isLost = () => {
    try {
      const now = lookAt(path);
      return now === undefined || now.ino !== locked?.ino || now.dev !== locked.dev;
    } catch {
      // A disk that reports an error, or a folder without access, proves nothing.
      return false;
    }
  };
  return { release, isLost, [Symbol.dispose]: release };
}

/**
 * Undefined after it emptied a file that is not a lock. The file of a lock is always empty, so this cannot take a lock away: a new file
 * in its place could.
 */
function begun(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (!SQLITE_BROKEN.includes(toErrorCode(error)) || lookAt(path)?.size === 0) throw error;
    truncateSync(path);
    return undefined;
  }
}

const lookAt = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/** Tries for `waitMs`; undefined if another process still holds the lock. */
export async function waitForLock(
  path: string,
  waitMs: number,
  { clock, random }: { readonly clock: Clock; readonly random: Pick<Random, 'next'> },
  signal?: AbortSignal,
): Promise<Lock | undefined> {
  const deadline = clock.now() + waitMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 50)) {
    const lock = tryLock(path);
    if (lock !== undefined) return lock;
    if (clock.now() >= deadline) return undefined;
    await clock.sleep(pauseMs * (0.5 + random.next()), signal);
  }
}

function isBusy(error: unknown): boolean {
  return toErrorCode(error) === SQLITE_BUSY;
}

const toErrorCode = (error: unknown): unknown => (error instanceof Error && 'errcode' in error ? error.errcode : undefined);
