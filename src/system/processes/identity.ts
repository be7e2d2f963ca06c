import { randomUUID } from 'node:crypto';
import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, removeTree } from '../files/files.ts';
import type { ProcessClaim } from './meet-challenge.ts';

export interface Challenge extends Disposable {
  /** The file that the process has to open. */
  readonly path: string;
  isMetBy(claim: ProcessClaim): boolean;
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
