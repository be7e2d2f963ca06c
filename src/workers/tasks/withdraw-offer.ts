import { abandonLandings } from '../../store/tables/landings.ts';
import { abandonResolutions } from '../../store/tables/resolutions.ts';
import { listTaskReports } from '../../store/tables/tasks.ts';
import type { WorkContext } from '../context.ts';
import { move } from '../status/move.ts';
import { standing } from '../status/transitions.ts';
import { restLocked } from './rest-worker.ts';

/**
 * Takes an offer back that a person has not accepted: nobody can accept it any more. Returns what main got if the person was faster, null
 * if main had the change already or got nothing. Safe to repeat.
 */
export async function withdrawOffer(
  context: WorkContext,
  { worker: name, offer }: { readonly worker: string; readonly offer: string },
): Promise<string | null> {
  const { store, locks, clock } = context;
  // An accept holds this lock until its outcome is on record.
  return await locks.withLock(name, async () => {
    const landed = listTaskReports(store.database, offer).findLast(({ outcome }) => outcome.kind === 'landed')?.outcome;
    if (landed?.kind === 'landed') return landed.commit;
    const worker = store.state.workers[name];
    if (worker?.run?.task?.id !== offer || standing(worker) === 'idle') return null;
    await restLocked(context, name, 'its run took its work back');
    const now = clock.now();
    store.changeWorker(name, {
      kind: 'status',
      summary: `${standing(worker)} → idle (reset): its run does not offer the work for review any more`,
      change: (draft) => move(draft, 'reset', now, { attention: null, current_prompt: null }),
      rows: (database) => {
        abandonLandings(database, name, 'its run took its work back', now);
        abandonResolutions(database, name, now);
      },
    });
    return null;
  });
}
