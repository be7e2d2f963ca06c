import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoEvent } from './scenario/misbehave.ts';

export type WriteEvent = (event: DemoEvent) => void;

/**
 * Drops one file per event where llmc reads them. The name is complete only after the
 * rename, so a reader never sees half a file. A spool that is missing or full must not
 * disturb the agent: a real CLI does not stop because a hook failed.
 */
export function createSpool(env: Readonly<Record<string, string | undefined>>, pid: number, now: () => number): WriteEvent {
  const directory = env.LLMC_SPOOL;
  if (!directory) return () => {};
  const incarnation = env.LLMC_INCARNATION || '0';
  let count = 0;
  return ({ name, payload }) => {
    count += 1;
    // Time first, then a counter: names of one process sort in the order they were written.
    const unique = `${now()}-${pid}-${String(count).padStart(6, '0')}`;
    const file = `${incarnation}~${name}~${unique}.json`;
    try {
      writeFileSync(join(directory, `.${file}`), JSON.stringify(payload), { mode: 0o600 });
      renameSync(join(directory, `.${file}`), join(directory, file));
    } catch {
      // See above.
    }
  };
}
