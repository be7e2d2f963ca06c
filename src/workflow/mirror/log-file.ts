import { join } from 'node:path';
import { type FaultPoint, fault } from '../../base/fault.ts';
import type { Clock, Files } from '../../base/ports.ts';
import { sweepTemporaries } from '../../system/files/sweep.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Run } from '../model/run.ts';
import { hasEnded } from '../next/next.ts';
import type { RunRecords, RunStore } from '../store/ports.ts';
import { readIfSound } from '../store/read-if-sound.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { isSoundLog, logText, versionLine } from './log-text.ts';

export const LOG_FILE = 'log.yaml';

interface LogFileOptions {
  readonly files: Pick<Files, 'makeFolder' | 'replace' | 'readEnd'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly records: Pick<RunRecords, 'errors' | 'questions' | 'retries' | 'history'>;
  readonly folderOf: (run: string) => string;
  readonly fault: (point: FaultPoint) => void;
}

export function logFileOptions({ files, clock, store, layout }: Pick<WorkContext, 'files' | 'clock' | 'store' | 'layout'>): LogFileOptions {
  return { files, clock, fault, records: new SqliteRecords(store.database), folderOf: (run) => join(layout.runs, run) };
}

/**
 * Writes `log.yaml` when a run ends, and again after each later decision about it, such as the removal of its workers. The database is
 * what counts, so a log that cannot be written stops nothing: the next start writes it.
 */
export function runsWithLogFile(runs: RunStore, options: LogFileOptions): RunStore {
  return {
    ...runs,
    async commit(commit) {
      const committed = await runs.commit(commit);
      const { run } = commit.decision;
      if (committed && hasEnded(run)) await writeLogFile(options, run).catch(() => undefined);
      return committed;
    },
  };
}

/** Written beside, parsed, then renamed. Writing it again changes nothing but its time. */
async function writeLogFile({ files, clock, records, folderOf, fault }: LogFileOptions, run: Run): Promise<void> {
  const text = logText(run, { errors: await records.errors(run.id), history: await records.history(run.id) }, clock.now());
  if (!isSoundLog(text, run)) throw new Error(`the log of ${run.id} cannot be read back`);
  fault('run-log:before-write');
  files.makeFolder(folderOf(run.id));
  files.replace(join(folderOf(run.id), LOG_FILE), text, { beforeRename: () => fault('run-log:before-rename') });
}

const LAST_LINE_BYTES = 64;

/** Writes the logs that a killed process, or a full disk, left out. */
export async function writeMissingLogs(runs: Pick<RunStore, 'list' | 'load'>, options: LogFileOptions): Promise<void> {
  for (const summary of await runs.list()) {
    const { id } = summary;
    if (!hasEnded(summary)) continue;
    const end = options.files.readEnd(join(options.folderOf(id), LOG_FILE), LAST_LINE_BYTES)?.text;
    if (end?.endsWith(`\n${versionLine(summary)}\n`) === true || end === `${versionLine(summary)}\n`) continue;
    const run = await readIfSound(runs, id);
    if (run === undefined || run === 'unreadable') continue;
    await writeLogFile(options, run).then(
      // What the killed process had written beside it: only the owner of the root writes there.
      () => sweepTemporaries(options.folderOf(id), (writer) => writer !== process.pid),
      () => undefined,
    );
  }
}
