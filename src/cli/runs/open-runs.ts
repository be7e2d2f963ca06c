import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { type Database, openDatabase, openReadOnlyAnywhere } from '../../store/database.ts';
import type { Layout } from '../../store/layout.ts';
import { type FailingService, failingServices } from '../../store/tables/failing-services.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { systemClock } from '../../system/clock.ts';
import { exists } from '../../system/files/files.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import type { Checkpoints } from '../../workflow/checkpoint/checkpoints.ts';
import { SqliteCheckpoints } from '../../workflow/checkpoint/sqlite-checkpoints.ts';
import { recordsInFiles } from '../../workflow/mirror/records-in-files.ts';
import { runsInFiles } from '../../workflow/mirror/runs-in-files.ts';
import { withUnread } from '../../workflow/mirror/with-unread.ts';
import type { RunRecords, RunStore } from '../../workflow/store/ports.ts';
import { SqliteRecords } from '../../workflow/store/sqlite-records.ts';
import { SqliteRuns } from '../../workflow/store/sqlite-runs.ts';

export interface OpenRuns extends Disposable {
  /** For what its other tables say; empty if it is gone. */
  readonly database: Database;
  readonly runs: Pick<RunStore, 'load' | 'list'>;
  readonly records: RunRecords;
  readonly checkpoints: Checkpoints;
  /** Services that fail at the moment, for all runs. */
  readonly services: () => readonly FailingService[];
}

/** The runs of a root, read from its database: also without a supervisor, and beside one. */
export function openRuns(layout: Layout, open: (path: string) => Database = openReadOnlyAnywhere): OpenRuns {
  requireRoot(layout);
  const database = openIfThere(layout.database, open);
  const mirrored = { files: systemFiles, clock: systemClock, folder: layout.runs };
  const isGone = isDatabaseGone(layout);
  const inFiles = runsInFiles(mirrored);
  const runs = isGone ? inFiles : withUnread(new SqliteRuns(database), inFiles);
  return {
    database,
    runs: {
      list: () => runs.list(),
      load: async (id) => (await runs.load(id)) ?? (await refuseArchived(layout, id)),
    },
    records: isGone ? recordsInFiles(mirrored) : new SqliteRecords(database),
    checkpoints: new SqliteCheckpoints(database),
    services: () => failingServices(database),
    [Symbol.dispose]: () => database.close(),
  };
}

/** A root has its database from the beginning: without it, only the files of the runs know them. */
export function isDatabaseGone(layout: Layout): boolean {
  return !exists(layout.database) && exists(layout.state);
}

/** Throws for a run that `llmc clean` archived: says where it is. */
export async function refuseArchived(layout: Layout, id: string): Promise<undefined> {
  const { ARCHIVED_LOG, readArchived } = await import('../../workflow/archive/archived.ts');
  const archived = readArchived(systemFiles, layout, id);
  if (archived === undefined) return undefined;
  const { folder, status } = archived;
  throw new LlmcError('RUN_NOT_FOUND', `${id} (${status}) is archived: its log, its report and its results are in ${folder}`, {
    hint: commandLine('less', join(folder, ARCHIVED_LOG)),
  });
}

/** A root that has no database yet has no runs. */
function openIfThere(path: string, open: (path: string) => Database): Database {
  return exists(path) ? open(path) : openDatabase(':memory:');
}
