import { join } from 'node:path';
import { agentPane } from '../../terminal/panes.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { WorkerFacts } from './verify-recovery.ts';

/** What a verification asks the root, its disk and tmux about. */
export interface RecoveryProbes {
  readonly workers: (run: string) => Promise<ReadonlyMap<string, WorkerFacts>>;
  readonly hasArtifact: (run: string, path: string) => boolean;
}

export function recoveryProbes({ store, layout, files, terminal }: WorkContext): RecoveryProbes {
  return {
    async workers(run) {
      const panes = await terminal.panes().catch(() => undefined);
      const own = Object.values(store.state.workers).filter((worker) => worker.run?.id === run);
      return new Map(
        own.map(({ name, session_id, worktree_path }) => {
          const pane = panes && agentPane(panes, session_id);
          const session = panes === undefined ? 'unknown' : pane === undefined || pane.dead ? 'gone' : 'alive';
          return [name, { hasWorktree: files.exists(worktree_path), session }] as const;
        }),
      );
    },
    hasArtifact: (run, path) => files.exists(join(layout.runs, run, path)),
  };
}
