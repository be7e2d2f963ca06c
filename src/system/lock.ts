import { DatabaseSync } from 'node:sqlite';
import { LlmcError, messageOf } from '../base/error.ts';
import type { Clock, Random } from '../base/ports.ts';

/** SQLite's result code for "somebody else holds it". */
const SQLITE_BUSY = 5;

/** A connection nobody refers to is collected and closed, and its lock would be free while its owner lives. */
const HELD = new Set<DatabaseSync>();

export interface Lock extends Disposable {
  release(): void;
}

/**
 * A lock the kernel frees on `kill -9` and children do not inherit: an open
 * exclusive transaction on a small database file. POSIX drops such a lock when the
 * process closes any other handle on the same file, so nothing else may ever open it.
 */
export function tryLock(path: string): Lock | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw new LlmcError('FILESYSTEM_ERROR', `the lock ${path} cannot be taken: ${messageOf(error)}`, { hint: 'llmc doctor', cause: error });
  }
  const opened = database;
  HELD.add(opened);
  const release = () => {
    if (HELD.delete(opened)) opened.close();
  };
  return { release, [Symbol.dispose]: release };
}

/** Keeps trying until `waitMs` have passed; undefined when it stayed taken. */
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
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
