import { type Git, type GitCall, read } from '../../run.ts';
import { stoppedAt } from '../stopped-rebase.ts';
import type { RebaseStop, Rebasing } from './facts.ts';

/** A stop with what is needed to repeat the merge that failed. */
export interface Stopped extends RebaseStop {
  /** The parent of the commit that git could not apply; undefined for the first commit of a history. */
  readonly parent: string | undefined;
  readonly head: { readonly commit: string; readonly tree: string };
}

/** The path comes last: it can contain a line feed. */
const headCall = (worktree: string): GitCall => read(worktree, 'rev-parse', 'HEAD', 'HEAD^{tree}', '--absolute-git-dir');

/** Reads where a rebase has stopped, and what the merge there began with. */
export async function readStop(git: Git, worktree: string, rebasing: Rebasing): Promise<Stopped | undefined> {
  const answer = await git.run(headCall(worktree));
  if (answer.status !== 0) return undefined;
  const [commit = '', tree = '', ...gitDir] = answer.stdout.replace(/\n$/, '').split('\n');
  const stopped = await stoppedAt(git, worktree, gitDir.join('\n'), rebasing);
  if (stopped === undefined) return undefined;
  return {
    commit: stopped.commit.sha,
    subject: stopped.commit.message.split('\n', 1)[0] ?? '',
    progress: stopped.progress,
    parent: stopped.commit.parents[0],
    head: { commit, tree },
  };
}
