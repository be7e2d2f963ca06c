import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { trySignal } from '../processes/signal.ts';
import { removeTree } from './files.ts';

/** Removes the temporary files of writers that were killed during an atomic write, and what SQLite keeps beside such a file. */
export function sweepTemporaries(directory: string): void {
  for (const name of readdirSync(directory)) {
    const writer = /^\..+\.(\d+)\.tmp(?:-journal|-wal|-shm)?$/.exec(name)?.[1];
    if (writer !== undefined && !trySignal(Number(writer), 0)) removeTree(join(directory, name));
  }
}
