import { basename, join } from 'node:path';
import { describeError, LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { jsonText } from '../../base/visible-text.ts';
import { readKind } from '../../system/files/no-follow.ts';
import type { WorkContext } from '../../workers/context.ts';
import { collectRuns, requireRun } from '../control/require-run.ts';
import { LOG_FILE } from '../mirror/log-file.ts';
import { logText } from '../mirror/log-text.ts';
import { STATE_FILE } from '../mirror/mirror.ts';
import type { Run } from '../model/run.ts';
import { hasEnded } from '../next/next.ts';
import { configuredRunLog } from '../run-log-path.ts';
import type { RunStore } from '../store/ports.ts';
import { deleteRun, requireUnchanged, rowsOfRun } from '../store/sqlite-archive.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { reportView } from '../view/report-view.ts';
import { ARCHIVE_FILE, archivedFolder, archivedNames, locateArchive } from './archived.ts';
import { logsOfRun } from './logs-of-run.ts';
import { partialFiles } from './partial-files.ts';

type ArchiveContext = Pick<WorkContext, 'store' | 'files' | 'layout' | 'clock'>;

/**
 * Moves the folder of a run that has ended to the archive, then deletes its rows. Before that, the folder gets the rows, the report and
 * the log. Its files are not copied: a rename moves all of them, with links that lead elsewhere, or nothing. Safe to repeat: a run whose
 * folder was moved only loses its rows.
 */
export async function archiveRun(context: ArchiveContext, id: string): Promise<string> {
  const { store, files, layout } = context;
  const run = await requireRun(collectRuns(context), id);
  const [from, to] = [join(layout.runs, id), archivedFolder(layout, id)];
  const isMoved = readKind(to) !== 'missing';
  if (isMoved && readKind(from) !== 'missing')
    throw new LlmcError('FILESYSTEM_ERROR', `${to} exists already`, { hint: 'Move it away and try again.' });
  const folder = isMoved ? to : from;
  files.makeFolder(folder);
  for (const path of [layout.runs, folder]) requireFolder(path);
  await describe(context, run, { folder, to });
  // From here to the end nothing else runs in this process: a recovery that began meanwhile is found now, or comes too late.
  requireUnchanged(store.database, id, run.version);
  fault('archive-run:before-move');
  if (!isMoved) {
    files.makeFolder(locateArchive(layout));
    requireFolder(locateArchive(layout));
    files.rename(from, to);
  }
  fault('archive-run:after-move');
  for (const log of logsOfRun(files, layout, id, Object.keys(store.state.workers))) files.rename(join(layout.logs, log), join(to, log));
  deleteRun(store.database, id);
  fault('archive-run:after-delete');
  store.commit({ worker: null, kind: 'run', summary: `${id}: archived in ${to}` });
  return to;
}

/** Finishes what a killed process has begun: the folder of the run is in the archive, and its rows are still there. */
export async function finishArchives(context: ArchiveContext & Pick<WorkContext, 'say'>, runs: Pick<RunStore, 'list'>): Promise<void> {
  const { files, layout, say } = context;
  const archived = new Set(archivedNames(files, layout));
  for (const run of archived.size === 0 ? [] : await runs.list())
    if (hasEnded(run) && archived.has(run.id) && readKind(join(layout.runs, run.id)) === 'missing')
      await archiveRun(context, run.id).catch((error: unknown) => say(`${run.id} is not archived yet: ${describeError(error)}`));
}

/** A link could lead out of the root. */
function requireFolder(path: string): void {
  if (readKind(path) !== 'folder')
    throw new LlmcError('FILESYSTEM_ERROR', `${path} is not a folder`, { hint: 'Move it away and try again.' });
}

/** Everything about the run that its folder does not have yet. */
async function describe(
  { store, files, layout, clock }: ArchiveContext,
  run: Run,
  { folder, to }: { readonly folder: string; readonly to: string },
): Promise<void> {
  const { id, plan, status, clock: time } = run;
  const records = new SqliteRecords(store.database);
  const [errors, history, checkpoints] = await Promise.all([records.errors(id), records.history(id), records.checkpoints(id)]);
  const now = clock.now();
  // One that the configuration puts elsewhere stays there: other runs may write to it.
  const log = configuredRunLog(layout, id);
  const isOwn = log === layout.log(id);
  const report = reportView(run, {
    questions: await records.questions(id),
    retries: await records.retries(id),
    errors,
    checkpoints,
    partial: partialFiles(folder),
    now,
    log: isOwn ? join(to, basename(log)) : log,
    folder: to,
    state: join(to, STATE_FILE),
  });
  const record = { run: id, workflow: plan.name, status, created_ms: time.startedMs, ended_ms: time.endedMs, archived_ms: now };
  const texts = {
    [LOG_FILE]: logText(run, { errors, history }, now),
    'report.json': `${jsonText(report, 2)}\n`,
    'rows.json': `${JSON.stringify(rowsOfRun(store.database, id))}\n`,
    [ARCHIVE_FILE]: `${jsonText(record, 2)}\n`,
  };
  for (const [name, text] of Object.entries(texts)) {
    const path = join(folder, name);
    files.replace(path, text);
    if (files.readForeign(path, Buffer.byteLength(text)) !== text)
      throw new LlmcError('FILESYSTEM_ERROR', `${path} is not what was written`, { hint: 'llmc doctor' });
  }
}
