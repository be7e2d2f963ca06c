import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { trySignal } from '../processes/signal.ts';
import { removeTree } from './files.ts';

/**
 * Removes the temporary files of writers that were killed during an atomic write, and what SQLite keeps beside such a file. `isGone`: a
 * killed process that nobody has waited for still takes signals, so a caller that alone writes there knows better.
 */
export function sweepTemporaries(directory: string, isGone = (writer: number): boolean => !trySignal(writer, 0)): void {
  for (const name of readdirSync(directory)) {
    const writer = /^\..+\.(\d+)\.tmp(?:-journal|-wal|-shm)?$/.exec(name)?.[1];
    if (writer !== undefined && isGone(Number(writer))) removeTree(join(directory, name));
  }
}
