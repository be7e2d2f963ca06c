import type { ScratchRepo } from './scratch-repo.ts';

/** Ends the work in a worktree of adam with a merge commit that adds `of-the-merge.txt` itself. It must have one commit already. */
export async function mergeInto(repo: Pick<ScratchRepo, 'run' | 'commit'>, worktree: string): Promise<void> {
  await repo.run(['checkout', '--quiet', '-b', 'topic', 'HEAD~1'], worktree);
  await repo.commit('Topic', { 'topic.txt': 'topic\n' }, worktree);
  await repo.run(['checkout', '--quiet', 'llmc/adam'], worktree);
  await repo.run(['merge', '--quiet', '--no-ff', '--no-commit', 'topic'], worktree);
  await repo.commit('Merge', { 'of-the-merge.txt': 'merge\n' }, worktree);
}
