import { predictClashes, readTouched, type Touched } from '../../git/rebase/clashes.ts';
import { predictConflicts } from '../../git/rebase/conflict.ts';
import { standInForMain } from '../../git/rebase/former-main.ts';
import { type Git, outside } from '../../git/run.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { reviewQueue } from '../pool/pick.ts';
import type { PredictedConflict } from './review-result.ts';

export interface ReviewedWork {
  readonly worker: Worker;
  readonly head: string;
  /** The paths that the work changes. */
  readonly files: readonly string[];
  /** Main, and what main was when the work began, if it was rewritten since. */
  readonly upstreams: readonly [string, ...string[]];
  /** The main branch. */
  readonly branch: string;
  /** Whether the work is on that main: then it cannot conflict with it. */
  readonly isOnMain: boolean;
}

export interface Predicted {
  readonly conflicts: readonly PredictedConflict[];
  readonly not_compared: readonly string[];
}

/** Lists what every other work changed that waits for a review. */
export async function readOthers({ git, layout, store }: WorkContext, except: string): Promise<Touched> {
  const others = reviewQueue(store.state, { unseenFirst: false }).flatMap(({ name, commit_sha, base_commit }) =>
    name === except || commit_sha === null ? [] : [{ name, head: commit_sha, base: base_commit }],
  );
  return await readTouched(outside(git), layout.root, others);
}

/** Says what the work would conflict with: main, and every other work that waits for a review. Changes nothing. */
export async function predictedConflicts(
  context: WorkContext,
  { worker, head, files, upstreams, branch, isOnMain }: ReviewedWork,
  others: Touched,
): Promise<Predicted> {
  const git = outside(context.git);
  const [withMain, { found, unknown }] = await Promise.all([
    isOnMain ? [] : predictWithMain(git, worker.worktree_path, head, upstreams),
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

async function predictWithMain(git: Git, at: string, head: string, upstreams: ReviewedWork['upstreams']): Promise<readonly string[]> {
  return await predictConflicts(git, at, await standInForMain(git, at, { upstreams }), head);
}
