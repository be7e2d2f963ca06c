import { LlmcError } from '../../base/error.ts';
import { readCommitId } from '../../git/inspect.ts';
import type { Worker } from '../../store/state.ts';
import { lastResolution, type ResolutionCause } from '../../store/tables/resolutions.ts';
import { chosenPlaceText } from '../branch/chosen-place-text.ts';
import type { WorkContext } from '../context.ts';
import type { Main, OnConflict } from '../landing/refresh-review.ts';
import { startResolution } from './start-resolution.ts';

/** Whether llmc may start a resolution without a person's word: not a second time for work that an agent gave back as it was. */
function mayStartByItself({ store, supervised }: WorkContext, worker: Worker, head: string): boolean {
  if (!supervised || worker.status !== 'needs_review') return false;
  // Also after a commit on top of that work.
  if (worker.attention?.kind === 'conflict_given_up') return false;
  const last = lastResolution(store.database, worker.name);
  return !(last?.outcome === 'aborted' && last.head === head);
}

/** Starts resolutions for the patrol and for `llmc review`, where config.toml lets them. */
export function resolver(context: WorkContext, cause: 'patrol' | 'review'): OnConflict {
  return async (name, main, files) => {
    const { repo } = await context.config();
    const worker = context.store.worker(name);
    if (!repo.resolveConflicts || !mayStartByItself(context, worker, await readCommitId(context.git, worker.worktree_path))) return false;
    await startResolution(context, name, { main, cause, files });
    return true;
  };
}

interface Met {
  readonly main: Main;
  readonly cause: ResolutionCause;
  readonly files: readonly string[];
}

/** Starts the resolution of a conflict that a command met, and returns the error that says so. The caller has the worker's lock. */
export async function conflictMet(context: WorkContext, name: string, { main, cause, files }: Met): Promise<LlmcError> {
  const conflicts = `the commit of ${name} conflicts with ${main.branch} in ${files.join(', ')}`;
  const details = files.join('\n');
  if (!context.supervised || context.store.worker(name).status === 'offline') {
    const hint = `Start the supervisor, then let its agent resolve that: llmc up --detach && llmc rebase ${name}`;
    return new LlmcError('REBASE_CONFLICT', conflicts, { hint, details });
  }
  await startResolution(context, name, { main, cause, files });
  const { status, chosen_place: place } = context.store.worker(name);
  const hint = (next: string) => [next, ...(place === null ? [] : [chosenPlaceText(name, place)])].join('. ');
  return status === 'rebasing'
    ? new LlmcError('REBASE_CONFLICT', `${conflicts}; its agent is resolving that`, {
        hint: hint(`llmc wait ${name} --for needs_review, then: llmc review ${name}`),
        details,
      })
    : new LlmcError('REBASE_CONFLICT', `${conflicts}; an earlier resolution was used again`, {
        hint: hint(`llmc review ${name}`),
        details,
      });
}
