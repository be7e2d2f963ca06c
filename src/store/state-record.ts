import type { Files, Instant } from '../base/ports.ts';
import { modifiedAt } from '../system/files/files.ts';
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
export const hasRecord = (path: string): boolean => recordAt(path) !== undefined;

function recordAt(path: string): State | undefined {
  if (inspectDatabase(path).kind !== 'ok') return undefined;
  try {
    using database = openReadOnly(path);
    return recordIn(database);
  } catch {
    return undefined;
  }
}

export interface StateSource {
  readonly name: 'llmc.db' | 'a copy of llmc.db' | 'state.json.bak';
  readonly path: string;
  /** When a copy was made. The record in llmc.db has every change. */
  readonly at?: Instant;
  readonly workers: readonly string[];
}

/** What the owner of a root can restore a lost state.json from, chosen as `decideState` does. */
export function stateSource(layout: Layout, files: Files = systemFiles): StateSource | undefined {
  const { database: path, stateBackup } = layout;
  const record = recordAt(path);
  const backup = readStateFile(stateBackup, files);
  const kept = backup.kind === 'ok' ? backup.state : undefined;
  if (record !== undefined && (kept === undefined || kept.revision <= record.revision))
    return { name: 'llmc.db', path, ...toNames(record) };
  const copies = record === undefined ? listCopies(layout.copies, files) : [];
  const copy = copies.flatMap(({ path: at, at: made }) => {
    const state = recordAt(at);
    return state === undefined ? [] : [{ state, source: { name: 'a copy of llmc.db', path: at, at: made, ...toNames(state) } as const }];
  })[0];
  if (copy !== undefined && (kept === undefined || kept.revision <= copy.state.revision)) return copy.source;
  return kept && { name: 'state.json.bak', path: stateBackup, at: modifiedAt(stateBackup), ...toNames(kept) };
}

const toNames = ({ workers }: State) => ({ workers: Object.keys(workers) });
