import { appendFileSync, renameSync, statSync } from 'node:fs';
import type { HistoryEntry } from './history.ts';
import type { Layout } from './layout.ts';
import type { Store } from './store.ts';

const LARGEST_LOG = 5 * 1024 * 1024;

/** Writes a JSON line for every change to the log of its worker, or to `llmc.log`. */
export function keepLog(store: Store): void {
  store.onCommit((entry) => appendLog(store.layout, entry));
}

export function appendLog(layout: Layout, entry: HistoryEntry): void {
  const path = entry.worker === null ? layout.log('llmc') : layout.log(entry.worker);
  const line = {
    time: new Date(entry.at).toISOString(),
    kind: entry.kind,
    summary: entry.summary,
    ...(entry.details !== undefined && { details: entry.details }),
  };
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG) renameSync(path, `${path}.1`);
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {
    // The database has the entry, so a log that cannot be written must not stop the work.
  }
}
