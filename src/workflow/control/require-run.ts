import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { nearest } from '../../config/nearest.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import type { WorkContext } from '../../workers/context.ts';
import { runsInFiles } from '../mirror/runs-in-files.ts';
import { withUnread } from '../mirror/with-unread.ts';
import type { Run } from '../model/run.ts';
import { hasEnded } from '../next/next.ts';
import type { RunStore } from '../store/ports.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';

/** The runs of a root for a command that changes one of them, with or without a supervisor. */
export function collectRuns({ store, clock }: Pick<WorkContext, 'store' | 'clock'>): Pick<RunStore, 'load' | 'list'> {
  return withUnread(new SqliteRuns(store.database), runsInFiles({ files: systemFiles, clock, folder: store.layout.runs }));
}

export async function requireRun(runs: Pick<RunStore, 'load' | 'list'>, id: string): Promise<Run> {
  const run = await runs.load(id);
  if (run !== undefined) return run;
  const names = (await runs.list()).map((each) => each.id);
  const close = nearest(id, names);
  throw new LlmcError('RUN_NOT_FOUND', `there is no run "${id}"${close === undefined ? '' : `; did you mean "${close}"?`}`, {
    hint: 'llmc runs',
  });
}

/** A run that has not ended. `instead`: what to type about one that has. */
export async function requireLivingRun(
  runs: Pick<RunStore, 'load' | 'list'>,
  id: string,
  instead: (ended: Run) => string = () => commandLine('llmc', 'show', id),
): Promise<Run> {
  const run = await requireRun(runs, id);
  if (!hasEnded(run)) return run;
  const ended = { done: 'is done', failed: 'has failed', aborted: 'was aborted', running: '', pausing: '', paused: '' }[run.status];
  throw new LlmcError('ILLEGAL_TRANSITION', `${id} ${ended}: nothing more happens in it`, { hint: instead(run) });
}
