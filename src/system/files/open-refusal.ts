import { closeSync, openSync } from 'node:fs';

/** SQLITE_IOERR and SQLITE_CANTOPEN: SQLite keeps the reason of the system to itself. */
const UNEXPLAINED: readonly unknown[] = [10, 14];
/** A database in WAL mode needs three files and the folder at once, and SQLite has closed what it had opened. */
const NEEDED = 8;

/** The reason of the system for an error of SQLite: the process, or the machine, has too many open files. Otherwise the error itself. */
export function withSystemReason(error: unknown): unknown {
  const isUnexplained = error instanceof Error && 'errcode' in error && UNEXPLAINED.includes(Number(error.errcode) & 0xff);
  return isUnexplained ? (refusalToOpen() ?? error) : error;
}

function refusalToOpen(): unknown {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED) opened.push(openSync('/dev/null', 'r'));
    return undefined;
  } catch (refused) {
    return refused;
  } finally {
    for (const each of opened) closeSync(each);
  }
}
