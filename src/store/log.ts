import type { Files } from '../base/ports.ts';
import { jsonText } from '../base/visible-text.ts';
import { systemFiles } from '../system/files/system-files.ts';
import type { Layout } from './layout.ts';
import type { Store } from './store.ts';
import type { HistoryEntry } from './tables/history.ts';

const LARGEST_LOG = 5 * 1024 * 1024;

/** Writes a JSON line for every change to the log of its worker, or to `llmc.log`. People also read these files with `cat`. */
export function keepLog(store: Store): void {
  store.onCommit((entry) => appendLog(store.layout, entry, store.files));
}

export function appendLog(layout: Layout, entry: HistoryEntry, files: Files = systemFiles): void {
  const path = entry.worker === null ? layout.log('llmc') : layout.log(entry.worker);
  const line = {
    time: new Date(entry.at).toISOString(),
    kind: entry.kind,
    summary: entry.summary,
    ...(entry.details !== undefined && { details: entry.details }),
  };
  try {
    if (files.size(path) > LARGEST_LOG) files.rename(path, `${path}.1`);
    files.append(path, `${jsonText(line)}\n`);
  } catch {
    // The database has the entry, so a log that cannot be written must not stop the work.
  }
}
