import type { Action, Task } from '../../model/action.ts';
import { archiveRef } from '../../model/compensation.ts';
import type { Run } from '../../model/run.ts';
import type { PerformContext, Performed } from '../context.ts';

/** Moves what a step left into the archive of the run, and keeps its commit under a ref. Safe to repeat. */
export async function performArchive(
  { artifacts, git, fault }: PerformContext,
  run: Run,
  { step }: Action,
  { number, folder, files, commit }: Extract<Task, { kind: 'archive' }>,
): Promise<Performed> {
  await fault('archive:before-files');
  artifacts.archive(run.id, files, folder);
  await fault('archive:after-files');
  // The id of a stage begins with a letter or a digit, so that none can be in its way.
  if (commit !== null) await git.keep(run.id, `${archiveRef(number)}/${step}`, commit);
  return null;
}
