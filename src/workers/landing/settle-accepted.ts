import { fault } from '../../base/fault.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { readableStatus, readStatus, readTreeId } from '../../git/inspect.ts';
import { resetInPlace } from '../../git/worktree/reset.ts';
import { isWorktreePresent } from '../../git/worktree/worktree.ts';
import { cancelDeliveries } from '../../store/tables/deliveries.ts';
import { findLanding, type Landing, markAfterAccept, rememberBefore, settleLanding } from '../../store/tables/landings.ts';
import type { WorkContext } from '../context.ts';
import { commitMove } from '../status/commit-move.ts';
import { reportTo } from '../tasks/report-to.ts';
import { saveWork } from '../worktree/save-work.ts';
import { mainBranch } from './main-branch.ts';

interface LandedCommit {
  readonly branch: string;
  /** Null if main had the change already. */
  readonly commit: string | null;
  /** Main as it is now: that commit, or one that builds on it. */
  readonly main: () => Promise<string>;
}

/** After landing, resets the worktree to main without replacing its directory and makes the worker idle. Returns main. */
export async function settleAccepted(context: WorkContext, landing: Landing, landed: LandedCommit): Promise<string> {
  const { store, git, clock } = context;
  const { branch, commit } = landed;
  const worker = store.worker(landing.worker);
  const config = await context.config();
  const hasCommands = config.repo.afterAccept.length > 0;
  // A missing worktree is not one that git cannot read: it stays as it is, and another accept settles the rest.
  const readState = isWorktreePresent(context.layout.root, worker.worktree_path) ? readableStatus : readStatus;
  const [main, status] = await Promise.all([landed.main(), readState(git, worker.worktree_path)]);
  const { head, branch: attached, changes } = status ?? { changes: [] };
  fault('accept:before-reset');
  // Usually there is nothing to do: the branch already is the commit that landed.
  if (changes.length === 0 && attached === worker.branch && (await isOnBranch(context, landing, head))) {
    await resetInPlace(git, worker.worktree_path, main, worker.branch);
  } else if (changes.length > 0 || head !== main || attached !== worker.branch) {
    // The agent is running and may have written or committed since.
    const saved = await saveWork(
      context,
      worker.name,
      landing.branch === null ? branch : await mainBranch(context, config),
      commit === null ? 'that changes nothing on main' : 'made while its commit was being landed',
    );
    if (saved !== undefined && commit !== null)
      context.say(`What ${worker.name} did in the meantime is saved: llmc rescue show ${saved.name}`);
    await resetInPlace(git, worker.worktree_path, main, worker.branch);
  }
  await exchange(git, context.layout.root, worker.worktree_path);
  fault('accept:after-reset');
  commitMove(context, worker.name, 'accepted', {
    why: commit === null ? `its work changes nothing on ${branch}` : `${commit.slice(0, 12)} is on ${branch}`,
    fields: {
      current_prompt: null,
      commit_sha: null,
      base_commit: main,
      reviewed_patch_id: null,
      landed_on: commit === null ? null : landing.branch,
      attention: null,
      crash_count: 0,
      run: worker.run && { ...worker.run, task: null },
    },
    besides: (_, draft) => {
      if (draft.last_reviewed_worker === worker.name) draft.last_reviewed_worker = null;
    },
    rows: (database) => {
      settleLanding(database, landing.id, commit === null ? 'nothing to land' : 'landed', clock.now());
      if (commit !== null) rememberBefore(database, landing.id, worker, commit);
      if (!hasCommands) markAfterAccept(database, [landing.id], clock.now());
      cancelDeliveries(database, worker.name, { kind: 'work_accepted' }, clock.now());
      reportTo(database, worker, { kind: 'landed', commit }, clock.now());
    },
  });
  return main;
}

/** Whether a worktree has nothing but what has landed on a branch that is not main: main does not have it, and it needs no rescue. */
async function isOnBranch(
  { git, store, layout }: WorkContext,
  { id, worker, branch }: Landing,
  head: string | undefined,
): Promise<boolean> {
  const work = branch === null ? null : (findLanding(store.database, id)?.work ?? null);
  if (work === null || head === undefined) return false;
  const at = store.worker(worker).worktree_path;
  const [now, accepted] = await Promise.all([readTreeId(git, at, head), readTreeId(git, layout.root, work)]).catch(() => []);
  return now !== undefined && now === accepted;
}
