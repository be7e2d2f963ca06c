import { join } from 'node:path';
import type { Clock, Files } from '../../base/ports.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { RUN_HEAD_FILE } from '../../store/layout.ts';
import type { SqliteRuns } from '../store/sqlite-runs.ts';
import { withoutMissing } from './missing-results.ts';
import { rebuild } from './rebuild.ts';

interface AdoptOptions {
  readonly files: Pick<Files, 'exists' | 'readText' | 'names'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The folder with a folder for each run. */
  readonly folder: string;
  readonly say: (line: string) => void;
}

export const MOST_RUNS = 10_000;

/** Puts the runs that the database does not know back into it, after it was lost. Each has ended, and a person can recover it. */
export async function adoptRuns(runs: Pick<SqliteRuns, 'list' | 'adopt'>, { files, clock, folder, say }: AdoptOptions): Promise<void> {
  const known = new Set((await runs.list()).map(({ id }) => id));
  for (const id of files.names(folder, MOST_RUNS).toSorted()) {
    if (known.has(id) || !files.exists(join(folder, id, RUN_HEAD_FILE))) continue;
    const rebuilt = rebuild(files, join(folder, id), clock.now());
    if (rebuilt === undefined || rebuilt.run.id !== id) {
      say(`${id} is not in the database, and its files in ${join(folder, id)} cannot be read.`);
      continue;
    }
    const { checked, missing } = withoutMissing(rebuilt, (path) => files.exists(join(folder, id, path)));
    const { run, source } = checked;
    if (!(await runs.adopt({ ...checked, note: `rebuilt from ${source}` }, clock.now()))) continue;
    const next = run.status === 'failed' ? ` Continue: ${commandLine('llmc', 'recover', id)}` : '';
    say(`${id} was rebuilt from ${source}, because the database does not know it.${next}`);
    if (missing.length > 0) say(`${id}: results are missing: ${missing.join(', ')}.`);
  }
}
