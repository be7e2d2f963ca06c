import { systemClock } from '../../system/clock.ts';
import { requireRun } from '../../workflow/control/require-run.ts';
import { type RunWhy, whyView } from '../../workflow/view/why-view.ts';
import { askSupervisorIfAny } from '../owner/owner.ts';
import type { Shell } from '../shell.ts';
import { openRuns } from './open-runs.ts';
import { surroundingsIn } from './surroundings.ts';

export interface ExplainedRun extends RunWhy {
  /** What stops the supervisor from working, such as a full disk. */
  readonly problems: readonly string[];
}

export async function readWhyRun(shell: Shell, id: string): Promise<ExplainedRun> {
  const answered = await askSupervisorIfAny(shell, 'status', {}, () => undefined);
  return { ...(await readWhy(shell, id)), problems: answered?.result.problems ?? [] };
}

async function readWhy({ layout }: Pick<Shell, 'layout'>, id: string): Promise<RunWhy> {
  using opened = openRuns(layout);
  const { runs, records } = opened;
  const run = await requireRun(runs, id);
  const [tasks, history, errors] = await Promise.all([records.openTasks(id), records.history(id), records.errors(id)]);
  const around = { ...surroundingsIn(layout)(id), services: opened.services() };
  return whyView(run, { tasks, history, errors, around }, systemClock.now());
}
