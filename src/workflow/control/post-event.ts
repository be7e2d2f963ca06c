import type { WorkContext } from '../../workers/context.ts';
import type { What } from '../model/event.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';

export type RunContext = Pick<WorkContext, 'store' | 'clock' | 'random' | 'supervised' | 'signal'>;

const POLL_MS = 50;
/** The engine decides within milliseconds, unless the disk cannot be written. */
const PATIENCE_MS = 10_000;

export interface Posted {
  /** False: the run has an event with this key already. */
  readonly isNew: boolean;
  /** Whether the engine has decided on it. Without a supervisor it does so at the next start. */
  readonly taken: boolean;
}

/** Stores what a person did to a run, and waits until the engine has decided on it. */
export async function postEvent(
  { store, clock, random, supervised, signal }: RunContext,
  run: string,
  key: string,
  what: What,
): Promise<Posted> {
  const isNew = await new SqliteRuns(store.database).post(run, { key, at: clock.now(), dice: random.next(), what });
  // Wakes the engine.
  if (isNew) store.commit({ worker: null, kind: 'run', summary: `${run}: ${what.kind}` });
  if (!isNew || !supervised) return { isNew, taken: false };
  const records = new SqliteRecords(store.database);
  const deadline = clock.now() + PATIENCE_MS;
  while (!signal.aborted && clock.now() < deadline) {
    if (await records.isDecided(run, key)) return { isNew, taken: true };
    await clock.sleep(POLL_MS, signal).catch(() => undefined);
  }
  return { isNew, taken: false };
}
