import { fault } from '../../base/fault.ts';
import { shortId } from '../../base/short-id.ts';
import { readableStatus } from '../../git/inspect.ts';
import { resetInPlace } from '../../git/worktree/reset.ts';
import { findTask, insertTask, messageWith } from '../../store/tables/tasks.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { move } from '../status/move.ts';
import { standing } from '../status/transitions.ts';
import { saveUnkept } from '../worktree/save-unkept.ts';
import { requireRunWorker } from './owner.ts';

/** A review shows a few lines of it. */
const LONGEST_SUMMARY = 2_000;

export interface Offer {
  /** What becomes of it, `landed` or `rejected`, is reported under this id. */
  readonly id: string;
  readonly worker: string;
  readonly commit: string;
  /** What the work is about, in the words of the person who started the run. */
  readonly task: string;
  /** What the reviewer must know about the work: `unverified`, `partial`. */
  readonly marks?: readonly string[];
}

/**
 * Offers a commit of a run's worker to a person: from now on its work waits for review and is accepted or rejected like any other.
 * Safe to repeat. Returns false if it was offered before.
 */
export async function offerForReview(context: WorkContext, { id, worker: name, commit, task, marks = [] }: Offer): Promise<boolean> {
  const { store, git, clock } = context;
  return await context.locks.withLock(name, async () => {
    if (findTask(store.database, id) !== undefined) return false;
    const run = requireRunWorker(store.worker(name));
    await context.agents.keepWorktree(name);
    const { worktree_path, branch, base_commit } = store.worker(name);
    const status = await readableStatus(git, worktree_path);
    if (status?.head !== commit || status.changes.length > 0) {
      await saveUnkept(
        context,
        name,
        await mainBranch(context, await context.config()),
        'left over when its commit was offered for review',
      );
      await resetInPlace(git, worktree_path, commit, branch);
    }
    const now = clock.now();
    fault('offer:before-commit');
    store.changeWorker(name, {
      kind: 'status',
      summary: `${standing(store.worker(name))} → needs_review (committed): offered for review by its run (${shortId(id)})`,
      change: (worker) =>
        move(worker, 'committed', now, {
          commit_sha: commit,
          expects: 'commit',
          attention: { kind: 'review', uncommitted: false },
          current_prompt: task,
          summary: messageWith(store.database, name, commit)?.slice(0, LONGEST_SUMMARY) ?? null,

          reviewed_patch_id: null,
          crash_count: 0,
          run: { ...run, task: { id, kind: 'review', ...(marks.length > 0 && { marks: [...marks] }) } },
        }),
      rows: (database) =>
        insertTask(database, {
          id,
          run: run.id,
          worker: name,
          kind: 'review',
          base: base_commit ?? commit,
          expects: { kind: 'commit' },
          created_ms: now,
        }),
    });
    fault('offer:after-commit');
    return true;
  });
}
