import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { trySignal } from '../processes/signal.ts';
import { removeTree } from './files.ts';

/** Removes what writers that were killed in the middle of an atomic write left in a directory. */
export function sweepTemporaries(directory: string): void {
  for (const name of readdirSync(directory)) {
    const writer = /^\..+\.(\d+)\.tmp$/.exec(name)?.[1];
    if (writer !== undefined && !trySignal(Number(writer), 0)) removeTree(join(directory, name));
  }
}
