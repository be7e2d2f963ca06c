import { systemClock } from '../../system/clock.ts';
import { requireRun } from '../../workflow/control/require-run.ts';
import { readIfSound } from '../../workflow/store/read-if-sound.ts';
import { type RunLine, type RunView, runLine, runView, unreadableLine } from '../../workflow/view/run-view.ts';
import type { Shell } from '../shell.ts';
import { isDatabaseGone, openRuns } from './open-runs.ts';
import { surroundingsIn } from './surroundings.ts';

/** The newest first. */
export async function readRunLines({ layout }: Pick<Shell, 'layout'>): Promise<readonly RunLine[]> {
  using opened = openRuns(layout);
  const { runs, records } = opened;
  const now = systemClock.now();
  const around = surroundingsIn(layout);
  const lines: RunLine[] = [];
  for (const summary of await runs.list()) {
    const { id } = summary;
    const run = await readIfSound(runs, id);
    if (run === 'unreadable') lines.push(unreadableLine(summary));
    else if (run !== undefined) lines.push(runLine(run, await records.openTasks(id), now, around(id)));
  }
  return lines;
}

export async function readRunView({ layout }: Pick<Shell, 'layout'>, id: string): Promise<RunView> {
  using opened = openRuns(layout);
  const run = await requireRun(opened.runs, id);
  const around = { ...surroundingsIn(layout)(id), services: opened.services(), errors: await opened.records.errors(id) };
  const view = runView(run, await opened.records.openTasks(id), systemClock.now(), around);
  if (view.questions.every(({ attempts }) => attempts.length === 0)) return view;
  return { ...view, questions: await (await import('./with-progress.ts')).withLastProgress(layout, view) };
}

/** Once per command. What the files know is at most a second old, but checkpoints and tasks of agents are in the database alone. */
export function sayIfGone({ layout, say }: Pick<Shell, 'layout' | 'say'>): void {
  if (isDatabaseGone(layout)) say(`! ${layout.database} is gone: this is what the files of the runs say. What to do: llmc doctor`);
}
