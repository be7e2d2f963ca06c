import { commitsBetween } from '../../git/commits.ts';
import { type LandedLanding, markReported, unreportedLandings } from '../../store/tables/landings.ts';
import type { WorkContext } from '../context.ts';

/** A commit that an accept put on main before it was interrupted, so that nobody was told. */
export interface EarlierLanding {
  readonly id: string;
  readonly worker: string;
  readonly commit: string;
  readonly subject: string;
}

/** Lists what interrupted accepts have landed. */
export async function earlierLandings(context: WorkContext): Promise<readonly EarlierLanding[]> {
  const { store, accepting } = context;
  const interrupted = unreportedLandings(store.database).filter(({ id }) => !accepting.has(id));
  return await Promise.all(interrupted.map((landing) => withSubject(context, landing)));
}

/** Call it last: these landings are about to reach the person who asked, unless they are gone. Then the next accept reports them. */
export function reportLanded({ store, clock, signal }: WorkContext, ids: readonly string[]): void {
  if (!signal.aborted) markReported(store.database, ids, clock.now());
}

async function withSubject({ git, layout }: WorkContext, { id, worker, landed }: LandedLanding): Promise<EarlierLanding> {
  // For the person only: the commit may be gone from main by now.
  const [found] = await commitsBetween(git, layout.root, `${landed}~1`, landed).catch(() => []);
  return { id, worker, commit: landed, subject: found?.message.split('\n')[0] ?? '' };
}
