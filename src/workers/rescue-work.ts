import { LlmcError } from '../base/error.ts';
import { diffText } from '../git/diff.ts';
import { exchange } from '../git/exchange/exchange.ts';
import { commitsAhead, readStatus } from '../git/inspect.ts';
import { localRef, trackingRef } from '../git/refs.ts';
import { measureRescue, prunable, pruneRescuesCall } from '../git/rescue/prune-rescues.ts';
import { findRescue, listRescues } from '../git/rescue/rescue.ts';
import type { Rescue } from '../git/rescue/rescue-ref.ts';
import { restoreAsBranch, restoreInto, showRescue } from '../git/rescue/rescue-restore.ts';
import { outside, read } from '../git/run.ts';
import type { Worker } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import { findResolution, openResolution } from '../store/tables/resolutions.ts';
import type { WorkContext } from './context.ts';
import { mainBranch } from './landing/main-branch.ts';
import { commitMove } from './status/commit-move.ts';
import { describeStatus } from './status/status-words.ts';
import { standing } from './status/transitions.ts';

export interface SavedWork extends Rescue {
  /** What it holds beyond the branches, on disk; null if it was not asked for, or git could not say. */
  readonly bytes: number | null;
}

export async function listSaved(
  { git, layout }: WorkContext,
  { worker, sizes = false }: { readonly worker?: string | undefined; readonly sizes?: boolean | undefined },
): Promise<readonly SavedWork[]> {
  const listed: SavedWork[] = [];
  // One after the other: each call reads many objects.
  for (const rescue of await listRescues(git, layout.root, worker))
    listed.push({ ...rescue, bytes: sizes ? await measureRescue(git, layout.root, rescue) : null });
  return listed;
}

export interface PruneRequest {
  readonly worker?: string | undefined;
  readonly olderThanMs: number;
  readonly dryRun: boolean;
  /** What the user was shown: nothing else is deleted, whatever has become old enough or was replaced since. */
  readonly only?: readonly Pick<Rescue, 'name' | 'sha'>[] | undefined;
}

export interface PruneResult {
  readonly pruned: readonly SavedWork[];
  /** How many rescues are left. */
  readonly kept: number;
}

/** Deletes rescues older than this. Their commits stay in the repository until git removes what nothing refers to. */
export async function pruneSaved(context: WorkContext, { worker, olderThanMs, dryRun, only }: PruneRequest): Promise<PruneResult> {
  const { git, layout, store, clock } = context;
  const all = await listSaved(context, { worker });
  const shown = only && new Map(only.map(({ name, sha }) => [name, sha]));
  const old = prunable(all, clock.now() - olderThanMs, referredTo(store)).filter(
    ({ name, sha }) => shown === undefined || shown.get(name) === sha,
  );
  const pruned: SavedWork[] = [];
  for (const rescue of old) pruned.push({ ...rescue, bytes: await measureRescue(git, layout.root, rescue) });
  if (!dryRun && pruned.length > 0) {
    // The names first: they are all that is left of what is deleted now.
    for (const { name, worker: owner, sha, task } of pruned)
      store.commit({ worker: owner, kind: 'rescue', summary: `deletes the rescue ${name} (${sha})${task === null ? '' : `: ${task}`}` });
    await git.ok(pruneRescuesCall(layout.root, pruned));
  }
  return { pruned, kept: all.length - pruned.length };
}

/** The rescues that a worker's line in the status or its review names. */
function referredTo({ state, database }: Store): ReadonlySet<string> {
  return new Set(
    Object.values(state.workers).flatMap(({ name, attention, resolution }) => {
      const rows = [openResolution(database, name), resolution === null ? undefined : findResolution(database, resolution)];
      const named = attention !== null && 'rescue' in attention ? attention.rescue : undefined;
      return [named, ...rows.map((row) => row?.rescue)].filter((rescue) => typeof rescue === 'string');
    }),
  );
}

/** The difference from one rescue to another, or to what its worker's branch holds now. */
export async function diffSaved(
  context: WorkContext,
  request: { readonly name: string; readonly other?: string | undefined },
): Promise<{ readonly rescue: string; readonly other: string; readonly diff: string }> {
  const { git, layout, store } = context;
  const rescue = await findRescue(git, layout.root, request.name);
  const other = request.other === undefined ? undefined : await findRescue(git, layout.root, request.other);
  if (other !== undefined) return { rescue: rescue.name, other: other.name, diff: await diffText(git, layout.root, rescue.sha, other.sha) };
  const branch = store.state.workers[rescue.worker]?.branch;
  const place = branch === undefined ? trackingRef(await mainBranch(context, await context.config())) : localRef(branch);
  const tip = (await git.ok(read(layout.root, 'rev-parse', '--verify', '--end-of-options', `${place}^{commit}`))).trim();
  return { rescue: rescue.name, other: branch ?? place, diff: await diffText(git, layout.root, rescue.sha, tip) };
}

export async function showSaved(context: WorkContext, name: string): Promise<{ rescue: Rescue; diff: string }> {
  const { git, layout } = context;
  const rescue = await findRescue(git, layout.root, name);
  const base = trackingRef(await mainBranch(context, await context.config()));
  return { rescue, diff: await showRescue(git, layout.root, rescue, base) };
}

export interface RestoreResult {
  readonly rescue: string;
  /** The branch in the root, or the worker whose worktree now holds it. */
  readonly branch: string | null;
  readonly worker: string | null;
  readonly replaced: string | null;
  /** Whether it has a commit to review. */
  readonly reviewable: boolean;
}

/** Restores a rescue into an idle worker's worktree, or as a branch of the root if no worker is named. */
export async function restoreSaved(context: WorkContext, request: { name: string; into?: string | undefined }): Promise<RestoreResult> {
  const { git, layout, store, clock } = context;
  const rescue = await findRescue(git, layout.root, request.name);
  if (request.into === undefined)
    return {
      rescue: rescue.name,
      branch: await restoreAsBranch(git, layout.root, rescue),
      worker: null,
      replaced: null,
      reviewable: false,
    };
  const name = request.into;
  return await context.locks.withLock(name, async () => {
    const worker = store.worker(name);
    if (standing(worker) !== 'idle')
      throw new LlmcError('WORKER_BUSY', `${name} is not idle: it ${describeStatus(standing(worker))}`, {
        hint: `llmc reset ${name}, then restore`,
      });
    const base = trackingRef(await mainBranch(context, await context.config()));
    const target = {
      root: layout.root,
      worktree: worker.worktree_path,
      worker: name,
      base,
      reason: 'replaced by a restore',
      now: clock.now(),
      branch: worker.branch,
    };
    const previous = await restoreInto(git, target, rescue);
    const finished = await finishedWork(context, worker, base);
    const task = { current_prompt: rescue.task, reviewed_patch_id: null, reviewed_commit: null, reviewed_words: null };
    // The next task must not replace restored work before the user has looked at it.
    if (finished === undefined)
      commitMove(context, name, 'restored', {
        why: `${rescue.name} was put back`,
        fields: { ...task, attention: { kind: 'restored', rescue: rescue.name } },
      });
    else commitMove(context, name, 'committed', { why: `${rescue.name} was put back, with a commit`, fields: { ...task, ...finished } });
    return { rescue: rescue.name, branch: null, worker: name, replaced: previous?.name ?? null, reviewable: finished !== undefined };
  });
}

/** What a review needs to know about work that has a commit; undefined for files alone, which only its agent can finish. */
async function finishedWork(
  { git, layout }: WorkContext,
  { worktree_path: at }: Worker,
  base: string,
): Promise<Partial<Worker> | undefined> {
  await exchange(git, layout.root, at);
  const [{ head = '', changes }, ahead] = await Promise.all([readStatus(git, at), commitsAhead(outside(git), at, base)]);
  return ahead === 0 ? undefined : { commit_sha: head, attention: { kind: 'review', uncommitted: changes.length > 0 } };
}
