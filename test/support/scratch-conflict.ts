import { recentDeliveries, updateDelivery } from '../../src/store/tables/deliveries.ts';
import { lastResolution } from '../../src/store/tables/resolutions.ts';
import { advanceResolution } from '../../src/workers/rebase/advance-resolution.ts';
import { type ScratchWork, type ScratchWorkOptions, scratchWork } from './scratch-work.ts';

export const MAIN = 'main\nThe sea is deep\n';
export const BOTH = `${MAIN}worker\n`;

export interface Conflicting extends ScratchWork {
  readonly head: string;
  /** What an agent would do: resolve a file and stage it, then continue. */
  resolve(text: string, goOn?: boolean): Promise<void>;
  /** As if the agent had taken every prompt and its turn had ended. */
  turnEnds(): Promise<void>;
  readonly row: () => ReturnType<typeof lastResolution>;
}

/** adam has a commit to review that conflicts with main in `a.txt`. */
export async function conflicting(options: ScratchWorkOptions = {}): Promise<Conflicting> {
  const work = await scratchWork({ context: { supervised: true }, ...options });
  const { repo, worktree, context } = work;
  await repo.commit('A file', { 'a.txt': 'old\n' });
  await repo.run(['pull', '--quiet', '--rebase', repo.path, 'main'], worktree);
  const head = await repo.commit('Worker', { 'a.txt': 'worker\n' }, worktree);
  await repo.commit('Main', { 'a.txt': MAIN });
  context.store.changeWorker('adam', {
    kind: 'test',
    summary: 'finished',
    change: (worker) => Object.assign(worker, { status: 'needs_review', commit_sha: head, current_prompt: 'Write a.txt' }),
  });
  return {
    ...work,
    head,
    async resolve(text, goOn = true) {
      await repo.write('a.txt', text, worktree);
      await repo.run(['add', 'a.txt'], worktree);
      if (goOn) await repo.run(['-c', 'core.editor=true', 'rebase', '--continue'], worktree);
    },
    async turnEnds() {
      context.store.commit({
        worker: 'adam',
        kind: 'test',
        summary: 'the turn ended',
        rows: (database) => {
          for (const { id } of recentDeliveries(database, 'adam', 9)) updateDelivery(database, id, { state: 'done', done_ms: 1 });
        },
      });
      await advanceResolution(context, 'adam');
    },
    row: () => lastResolution(context.store.database, 'adam'),
    [Symbol.asyncDispose]: () => work[Symbol.asyncDispose](),
  };
}
