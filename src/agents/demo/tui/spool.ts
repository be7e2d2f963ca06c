import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoEvent } from './scenario/misbehave.ts';

export type WriteEvent = (event: DemoEvent) => void;

/**
 * Writes one file per event to llmc's spool. The file gets its final name by a
 * rename, so llmc never reads half a file. Ignores a missing or full spool,
 * because a real CLI does not stop when a hook fails.
 */
export function createSpool(env: Readonly<Record<string, string | undefined>>, pid: number, now: () => number): WriteEvent {
  const directory = env.LLMC_SPOOL;
  if (!directory) return () => {};
  const incarnation = env.LLMC_INCARNATION || '0';
  const seal = env.LLMC_SEAL ? `${env.LLMC_SEAL}\n` : '';
  let count = 0;
  return ({ name, payload }) => {
    count += 1;
    // Time first, then a counter, so that the names of one process sort in the order of writing.
    const unique = `${now()}-${pid}-${String(count).padStart(6, '0')}`;
    const file = `${incarnation}~${name}~${unique}.json`;
    try {
      writeFileSync(join(directory, `.${file}`), `${seal}${JSON.stringify(payload)}`, { mode: 0o600 });
      renameSync(join(directory, `.${file}`), join(directory, file));
    } catch {
      // See above.
    }
  };
}
