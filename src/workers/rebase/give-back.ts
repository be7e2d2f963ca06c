import { describeError } from '../../base/error.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { isAncestor, readCommitId } from '../../git/inspect.ts';
import { abortRebase, takeBranch } from '../../git/rebase/pass-commit.ts';
import { readSituation } from '../../git/rebase/stopped-rebase.ts';
import { outside } from '../../git/run.ts';
import type { Attention, GivenUp } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { cancelDeliveries } from '../../store/tables/deliveries.ts';
import { openResolution, type Resolution, settleResolution } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../context.ts';
import { commitMove } from '../status/commit-move.ts';
import { reviewAttention } from '../status/review-attention.ts';
import { saveWork } from '../worktree/save-work.ts';

export interface GivingBack {
  /** `left`: the agent ended the rebase with commits that do not build on main. `up_to_date`: there was nothing to rebase. */
  readonly reason: Exclude<GivenUp, 'went_on' | 'elsewhere'> | 'left' | 'up_to_date';
  readonly why: string;
  readonly inTheWay?: readonly string[];
}

/** Ends a resolution without a result: the worker has its commits from before, and a person decides what follows. */
export async function giveBack(context: WorkContext, row: Resolution, { reason, why, inTheWay }: GivingBack): Promise<void> {
  const { git, store, clock } = context;
  const { worktree_path: at } = store.worker(row.worker);
  const { rescue, wentOn } = await putWorkBack(context, row);
  const head = await readCommitId(git, at);
  const attentionOf = (worker: Worker): Attention => {
    const { conflicted_files: predicted } = worker;
    if (reason === 'up_to_date') return reviewAttention(worker, false);
    const files = row.files.length > 0 ? row.files : predicted;
    const given = wentOn ? 'went_on' : reason === 'left' ? 'elsewhere' : reason;
    return {
      kind: 'conflict_given_up',
      branch: row.branch,
      files,
      why: given,
      ...(rescue !== undefined && { rescue }),
      ...(inTheWay !== undefined && { in_the_way: [...inTheWay] }),
    };
  };
  commitMove(context, row.worker, 'gave_back', {
    why,
    fields: (worker) => ({
      commit_sha: head,
      rebase_started_at_unix: null,
      attention: attentionOf(worker),
    }),
    rows: (database) => {
      cancelDeliveries(database, row.worker, { kind: 'conflict_over' }, clock.now());
      settleResolution(database, row.id, 'aborted', clock.now());
    },
  });
}

interface PutBack {
  /** What was in the worktree before. */
  readonly rescue: string | undefined;
  /** The agent has committed on top of its old commit, which stays. */
  readonly wentOn: boolean;
}

/** Ends the rebase in the worktree, with the worker's commits as before. */
async function putWorkBack(context: WorkContext, row: Resolution): Promise<PutBack> {
  const { git, store, layout } = context;
  const { worktree_path: at, branch } = store.worker(row.worker);
  const found = await readSituation(git, at, row);
  await exchange(git, layout.root, at);
  const wentOn = found.kind === 'over' && found.at === 'elsewhere' && (await isAncestor(outside(git), at, row.head, found.head));
  if (found.kind === 'over' && (found.at === 'old' || wentOn)) {
    if (found.branch !== branch) await takeBranch(git, at, branch, found.head);
    return { rescue: undefined, wentOn };
  }
  // What the agent has made so far is on no branch afterwards.
  const saved = await saveWork(context, row.worker, row.branch, 'a rebase that was given up');
  if (saved !== undefined) context.say(`What was resolved so far is saved: llmc rescue show ${saved.name}`);
  await abortRebase(git, at, branch, row.head);
  return { rescue: saved?.name, wentOn: false };
}

/**
 * Before a worker is reset or removed in the middle of a resolution: its rescue then holds its finished work, and not main with
 * conflict markers. A worktree in which that fails is saved as it is.
 */
export async function putBackBeforeSaving(context: WorkContext, name: string): Promise<void> {
  const row = openResolution(context.store.database, name);
  if (row === undefined) return;
  await putWorkBack(context, row).catch((error: unknown) => context.say(`The rebase could not be taken back: ${describeError(error)}`));
}
