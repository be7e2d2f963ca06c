import type { Files } from '../base/ports.ts';
import { systemFiles } from '../system/files/system-files.ts';
import { listCopies } from './copies.ts';
import { type Database, inspectDatabase, openReadOnly } from './database.ts';
import type { Layout } from './layout.ts';
import { type State, stateSchema } from './state.ts';
import { readStateFile } from './state-file.ts';

/** The redo record of the state; undefined without one that can be read. */
export function recordIn(database: Database): State | undefined {
  const row = database.prepare('SELECT state FROM state_journal').get();
  return row === undefined ? undefined : stateSchema.safeParse(parsed(String(row.state))).data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the file is a sound database with a record of the state. A sound one can be empty. */
export function hasRecord(path: string): boolean {
  if (inspectDatabase(path).kind !== 'ok') return false;
  try {
    using database = openReadOnly(path);
    return recordIn(database) !== undefined;
  } catch {
    return false;
  }
}

export type StateSource = 'llmc.db' | 'a copy of llmc.db' | 'state.json.bak';

/** What the owner of a root can restore a lost state.json from. */
export function stateSource(layout: Layout, files: Files = systemFiles): StateSource | undefined {
  if (hasRecord(layout.database)) return 'llmc.db';
  if (listCopies(layout.copies, files).some(({ path }) => hasRecord(path))) return 'a copy of llmc.db';
  return readStateFile(layout.stateBackup, files).kind === 'ok' ? 'state.json.bak' : undefined;
}
