import { isDeepStrictEqual } from 'node:util';
import { rebaseOnto } from '../../git/rebase/rebase.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import type { Attention } from '../../store/attention.ts';
import type { WorkContext } from '../context.ts';
import { standing } from '../status/transitions.ts';
import { mainBranch } from './main-branch.ts';

/** Puts work that waits for review on the newest main. Conflicts and uncommitted changes leave it as it is, with a word to the person. True when it was rebased. */
export async function refreshReview(context: WorkContext, name: string): Promise<boolean> {
  const { store, git, layout } = context;
  const worker = store.state.workers[name];
  if (worker === undefined || standing(worker) !== 'needs_review') return false;
  const config = await context.config();
  const branch = await mainBranch(context, config);
  const main = await fetchMain(git, layout.root, branch, config.repo.source);
  const rebased = await rebaseOnto(git, worker.worktree_path, main);
  const note = (summary: string, fields: Partial<typeof worker>) =>
    store.changeWorker(name, { kind: 'rebase', summary, change: (record) => Object.assign(record, fields) });
  switch (rebased.kind) {
    case 'up-to-date':
      return false;
    case 'clean':
      note(`rebased onto ${main.slice(0, 12)}`, {
        commit_sha: rebased.head,
        base_commit: main,
        conflicted_files: [],
        attention: { kind: 'review', uncommitted: false },
      });
      return true;
    case 'conflict': {
      const attention: Attention = { kind: 'conflict', branch, files: [...rebased.files] };
      if (!isDeepStrictEqual(worker.attention, attention))
        note(`conflicts with ${branch} in ${rebased.files.join(', ')}`, { attention, conflicted_files: [...rebased.files] });
      return false;
    }
    case 'dirty':
    case 'busy':
      return false;
  }
}

/** Every pending review but one; a worker somebody has a hand on is left to the next time. Returns those that were rebased. */
export async function refreshReviews(context: WorkContext, except: string | undefined): Promise<readonly string[]> {
  const rebased: string[] = [];
  const names = Object.values(context.store.state.workers).map(({ name }) => name);
  for (const name of names) {
    if (name === except || context.locks.isLocked(name)) continue;
    if (await context.locks.withLock(name, () => refreshReview(context, name))) rebased.push(name);
  }
  return rebased;
}
