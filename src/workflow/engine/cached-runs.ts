import type { Run } from '../model/run.ts';
import { hasEnded } from '../next/next.ts';
import type { RunStore } from '../store/ports.ts';
import { savedRun } from '../store/saved-run.ts';

/**
 * Keeps each run as the last decision left it, so that a decision on a run with hundreds of items does not read all of them. Only the
 * engine of the root commits decisions; a commit that is refused proves otherwise, and the run is read again.
 */
export function cachedRuns(runs: RunStore): RunStore {
  const kept = new Map<string, Run>();
  return {
    ...runs,
    async load(id) {
      return kept.get(id) ?? (await runs.load(id));
    },
    async commit(commit) {
      const { run } = commit.decision;
      kept.delete(run.id);
      const committed = await runs.commit(commit);
      if (committed && !hasEnded(run)) kept.set(run.id, savedRun(commit));
      return committed;
    },
  };
}
