import { randomUUID } from 'node:crypto';
import { accessSync, closeSync, constants, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, removeTree } from '../files/files.ts';

/** A process, and the number under which it has opened the file of a challenge. */
export interface Claim {
  readonly pid: number;
  readonly fd: number;
}

export interface Challenge extends Disposable {
  /** The file that the process has to open. */
  readonly path: string;
  isMetBy(claim: Claim): boolean;
}

/**
 * Node has no SO_PEERCRED. A process that opens a new file on request proves its id, because /proc shows who has opened it.
 * False without /proc, and where a `node` with capabilities (`setcap`) makes Linux hide the open files of its processes.
 */
export function canChallenge(): boolean {
  try {
    accessSync('/proc/self/environ', constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

export function challenge(folder: string): Challenge {
  makeDirectory(folder);
  const path = join(folder, randomUUID());
  writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  const file = statSync(path, { bigint: true });
  return {
    path,
    isMetBy({ pid, fd }) {
      try {
        const opened = statSync(`/proc/${pid}/fd/${fd}`, { bigint: true });
        return opened.dev === file.dev && opened.ino === file.ino;
      } catch {
        return false;
      }
    },
    [Symbol.dispose]: () => removeTree(path),
  };
}

/** Opens the file of a challenge until the end of the block. */
export function meetChallenge(path: string): Disposable & { readonly claim: Claim } {
  // A path from a process that only pretends to be the supervisor must neither block nor lead elsewhere.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  return { claim: { pid: process.pid, fd }, [Symbol.dispose]: () => closeSync(fd) };
}
