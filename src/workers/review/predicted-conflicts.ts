import { predictClashes } from '../../git/rebase/clashes.ts';
import { predictConflicts } from '../../git/rebase/conflict.ts';
import { outside } from '../../git/run.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { reviewQueue } from '../pool/pick.ts';
import type { PredictedConflict } from './review-result.ts';

export interface Reviewed {
  readonly worker: Worker;
  readonly head: string;
  /** The paths that the work changes. */
  readonly files: readonly string[];
  /** Main, and its branch. */
  readonly main: string;
  readonly branch: string;
  /** Whether the work is on that main: then it cannot conflict with it. */
  readonly isOnMain: boolean;
}

export interface Predicted {
  readonly conflicts: readonly PredictedConflict[];
  readonly not_compared: readonly string[];
}

/** Says what the work would conflict with: main, and every other work that waits for a review. Changes nothing. */
export async function predictedConflicts(
  context: WorkContext,
  { worker, head, files, main, branch, isOnMain }: Reviewed,
): Promise<Predicted> {
  const git = outside(context.git);
  const others = reviewQueue(context.store.state, { unseenFirst: false }).flatMap(({ name, commit_sha, base_commit }) =>
    name === worker.name || commit_sha === null ? [] : [{ name, head: commit_sha, base: base_commit }],
  );
  const [withMain, { found, unknown }] = await Promise.all([
    isOnMain ? [] : predictConflicts(git, worker.worktree_path, main, head),
    predictClashes(git, context.layout.root, head, new Set(files), others),
  ]);
  return {
    conflicts: [
      ...(withMain.length === 0 ? [] : [{ with: branch, kind: 'main' as const, files: withMain }]),
      ...found.map(({ name, files: inBoth }) => ({ with: name, kind: 'worker' as const, files: inBoth })),
    ],
    not_compared: unknown,
  };
}
