import { isDeepStrictEqual } from 'node:util';
import { rebaseOnto } from '../../git/rebase/rebase.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import type { Attention } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { standing } from '../status/transitions.ts';
import { mainBranch } from './main-branch.ts';

export interface Main {
  readonly branch: string;
  readonly sha: string;
}

/** Asks the source what its main branch is. */
export async function newestMain(context: WorkContext): Promise<Main> {
  const config = await context.config();
  const branch = await mainBranch(context, config);
  return { branch, sha: await fetchMain(context.git, context.layout.root, branch, config.repo.source) };
}

export function awaitsReview(worker: Worker | undefined): worker is Worker {
  return worker !== undefined && standing(worker) === 'needs_review';
}

/** Puts work that waits for review on main. Conflicts and uncommitted changes leave it as it is, with a word to the person. True when it was rebased. */
export async function refreshReview(context: WorkContext, name: string, { branch, sha: main }: Main): Promise<boolean> {
  const { store, git } = context;
  const worker = store.state.workers[name];
  if (!awaitsReview(worker)) return false;
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
