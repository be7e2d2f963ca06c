import { fetchMain } from '../git/fetch.ts';
import { rebaseOnto } from '../git/rebase.ts';
import type { WorkContext } from './context.ts';
import { mainBranch } from './main-branch.ts';
import { standing } from './status.ts';

/** Puts work that waits for review on the newest main. Conflicts and uncommitted changes leave it as it is, with a word to the person. */
export async function refreshReview(context: WorkContext, name: string): Promise<void> {
  const { store, git, layout } = context;
  const worker = store.state.workers[name];
  if (worker === undefined || standing(worker) !== 'needs_review') return;
  const main = await fetchMain(git, layout.root, await mainBranch(context, await context.config()));
  const rebased = await rebaseOnto(git, worker.worktree_path, main);
  const note = (summary: string, fields: Partial<typeof worker>) =>
    store.commit({
      worker: name,
      kind: 'rebase',
      summary,
      state: (draft) => {
        const record = draft.workers[name];
        if (record !== undefined) Object.assign(record, fields);
      },
    });
  switch (rebased.kind) {
    case 'up-to-date':
      return;
    case 'clean':
      return note(`rebased onto ${main.slice(0, 12)}`, {
        commit_sha: rebased.head,
        base_commit: main,
        conflicted_files: [],
        attention: `Review it: llmc review ${name}`,
      });
    case 'conflict': {
      const attention = `Its commit conflicts with main in ${rebased.files.join(', ')}. Ask it to rebase: llmc message ${name} "Rebase onto origin/main and resolve the conflicts", or llmc reject`;
      if (worker.attention !== attention)
        note(`conflicts with main in ${rebased.files.join(', ')}`, { attention, conflicted_files: [...rebased.files] });
      return;
    }
    case 'dirty':
    case 'busy':
      return;
  }
}

/** Every pending review but one; a worker somebody has a hand on is left to the next time. */
export async function refreshReviews(context: WorkContext, except: string | undefined): Promise<void> {
  const names = Object.values(context.store.state.workers).map(({ name }) => name);
  for (const name of names) {
    if (name === except || context.hands.isHeld(name)) continue;
    await context.hands.hold(name, () => refreshReview(context, name));
  }
}
