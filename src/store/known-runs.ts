import { join } from 'node:path';
import type { Files } from '../base/ports.ts';
import { type Database, prepared } from './database.ts';
import { type Layout, RUN_HEAD_FILE } from './layout.ts';

const MOST_RUNS = 10_000;

/** Every run that llmc can still tell something about: a row of llmc.db, or files that a lost row is rebuilt from. */
export function knownRuns(database: Database, layout: Pick<Layout, 'runs'>, files: Pick<Files, 'names' | 'exists'>): ReadonlySet<string> {
  const rows = prepared(database, 'SELECT id FROM runs').all();
  const folders = files.names(layout.runs, MOST_RUNS).filter((id) => files.exists(join(layout.runs, id, RUN_HEAD_FILE)));
  return new Set([...rows.map(({ id }) => String(id)), ...folders]);
}
