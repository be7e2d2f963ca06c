import { join } from 'node:path';
import type { Clock, Files } from '../../base/ports.ts';
import { RUN_HEAD_FILE } from '../../store/layout.ts';
import type { Run } from '../model/run.ts';
import type { RunStore, RunSummary } from '../store/ports.ts';
import { MOST_RUNS } from './adopt.ts';
import { rebuild } from './rebuild.ts';

export interface MirroredIn {
  readonly files: Pick<Files, 'exists' | 'readText' | 'names'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The folder with a folder for each run. */
  readonly folder: string;
}

export interface RunsInFiles extends Pick<RunStore, 'load'> {
  /** Those that are not known already, the newest first. */
  list(known?: ReadonlySet<string>): Promise<readonly RunSummary[]>;
}

const NONE: ReadonlySet<string> = new Set();

/** The runs as their files have them, to be read while the database is gone. A supervisor that still runs goes on writing these files. */
export function runsInFiles({ files, clock, folder }: MirroredIn): RunsInFiles {
  const read = (id: string): Run | undefined => {
    if (!files.exists(join(folder, id, RUN_HEAD_FILE))) return undefined;
    const before = rebuild(files, join(folder, id), clock.now())?.before;
    return before?.id === id ? before : undefined;
  };
  return {
    load: (id) => Promise.resolve(/[/\\]|^\.*$/.test(id) ? undefined : read(id)),
    list: (known = NONE) => {
      const ids = files.names(folder, MOST_RUNS).filter((id) => !known.has(id));
      const runs = ids.flatMap((id) => read(id) ?? []);
      return Promise.resolve(runs.map(toSummary).toSorted((left, right) => right.createdMs - left.createdMs));
    },
  };
}

function toSummary({ id, status, version, level, plan, clock }: Run): RunSummary {
  return { id, status, version, level, workflow: plan.name, createdMs: clock.startedMs, endedMs: clock.endedMs };
}
