import { workerBranch } from '../git/refs.ts';
import type { Database } from '../store/database.ts';
import { newWorker, type Worker } from '../store/state.ts';
import type { WorkContext } from './context.ts';

interface NewWorker extends Pick<Worker, 'name' | 'worktree_path' | 'agent'> {
  readonly summary: string;
  /** What made it, if that was not a person. */
  readonly made?: Partial<Pick<Worker, 'run' | 'pool'>>;
  /** Written in the same transaction. */
  readonly rows?: (database: Database) => void;
}

/** Records a worker whose worktree exists. */
export function registerWorker({ store, clock }: Pick<WorkContext, 'store' | 'clock'>, worker: NewWorker): void {
  const { name, worktree_path, agent, summary, made = {}, rows } = worker;
  const created_at_unix = Math.floor(clock.now() / 1_000);
  store.commit({
    worker: name,
    kind: 'added',
    summary,
    ...(rows !== undefined && { rows }),
    state: (draft) => {
      draft.workers[name] = { ...newWorker({ name, worktree_path, branch: workerBranch(name), agent, created_at_unix }), ...made };
    },
  });
}
