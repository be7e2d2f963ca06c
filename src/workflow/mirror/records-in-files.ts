import { join } from 'node:path';
import type { ErrorQuery, LoggedError, RunRecords } from '../store/ports.ts';
import { MOST_RUNS } from './adopt.ts';
import { rebuild } from './rebuild.ts';
import type { KeptRecords } from './records-text.ts';
import type { MirroredIn } from './runs-in-files.ts';

const NOTHING: KeptRecords = { errors: [], questions: [], retries: [], history: [] };

/** What the files of runs say about them while the database is gone. Checkpoints, tasks and events are in the database alone. */
export function recordsInFiles({ files, clock, folder }: MirroredIn): RunRecords {
  const read = (id: string): KeptRecords => {
    const rebuilt = rebuild(files, join(folder, id), clock.now());
    return rebuilt?.before.id === id ? rebuilt.records : NOTHING;
  };
  return {
    history: async (run, after = 0) =>
      read(run)
        .history.map((line, index) => ({ ...line, seq: index + 1 }))
        .filter(({ seq }) => seq > after),
    errors: async (run) => read(run).errors,
    questions: async (run) => read(run).questions,
    retries: async (run) => read(run).retries,
    errorLog: async (query) => {
      const runs = query.run === undefined ? files.names(folder, MOST_RUNS) : [query.run];
      const found = runs.flatMap((run) => read(run).errors.map((error) => ({ ...error, run })));
      const wanted = found.filter((error) => isAsked(error, query));
      return wanted.toSorted((one, other) => one.at - other.at).slice(-query.limit);
    },
    checkpoints: async () => [],
    openTasks: async () => [],
    hasOpenWork: async () => false,
    isDecided: async () => false,
  };
}

function isAsked(error: LoggedError, { code, severity, step, role, open = false, since = 0 }: ErrorQuery): boolean {
  const isSame = (wanted: string | undefined, found: string | null) => wanted === undefined || wanted === found;
  const isNamed = isSame(code, error.code) && isSame(severity, error.severity) && isSame(step, error.component) && isSame(role, error.role);
  return isNamed && (!open || error.outcome !== 'recovered') && error.at >= since;
}
