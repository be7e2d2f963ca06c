import type { Worker } from '../../store/state.ts';
import { isTakenBack } from '../../store/tables/undos.ts';
import type { WorkContext } from '../context.ts';

/** The commit below a worker's work that an undo took back from main. A rebase leaves it out. */
export function takenBackBelow({ store }: Pick<WorkContext, 'store'>, { base_commit: base }: Worker): string | undefined {
  return base !== null && isTakenBack(store.database, base) ? base : undefined;
}
