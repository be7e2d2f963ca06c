import { join } from 'node:path';
import { systemClock } from '../../system/clock.ts';
import { partialFiles } from '../../workflow/archive/partial-files.ts';
import { requireRun } from '../../workflow/control/require-run.ts';
import { STATE_FILE } from '../../workflow/mirror/mirror.ts';
import { configuredRunLog } from '../../workflow/run-log-path.ts';
import { type RunReport, reportView } from '../../workflow/view/report-view.ts';
import type { Shell } from '../shell.ts';
import { openRuns } from './open-runs.ts';
import { surroundingsIn } from './surroundings.ts';

export async function readReport({ layout }: Pick<Shell, 'layout'>, id: string): Promise<RunReport> {
  using opened = openRuns(layout);
  const { runs, records } = opened;
  const run = await requireRun(runs, id);
  const { folder, standingOf } = surroundingsIn(layout)(id);
  return reportView(run, {
    partial: partialFiles(folder),
    questions: await records.questions(id),
    retries: await records.retries(id),
    errors: await records.errors(id),
    checkpoints: await records.checkpoints(id),
    now: systemClock.now(),
    log: configuredRunLog(layout, id),
    folder,
    state: join(folder, STATE_FILE),
    standingOf,
  });
}
