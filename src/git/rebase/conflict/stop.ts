import { join } from 'node:path';
import { type Git, type GitCall, read } from '../../run.ts';
import { commitsToMove } from '../stopped-rebase.ts';
import type { RebaseStop, Rebasing } from './facts.ts';

/** A stop with what is needed to repeat the merge that failed. */
export interface Stopped extends RebaseStop {
  /** The parent of the commit that git could not apply; undefined for the first commit of a history. */
  readonly parent: string | undefined;
  readonly head: { readonly commit: string; readonly tree: string };
}

/** The path comes last: it can contain a line feed. */
const headCall = (worktree: string): GitCall => read(worktree, 'rev-parse', 'HEAD', 'HEAD^{tree}', '--absolute-git-dir');

/** The file holds one hash. */
const LONGEST_NOTE = 200;

/** Reads at which of the worker's commits a rebase has stopped. An agent can write git's note of it, so any other commit does not count. */
export async function readStop(git: Git, worktree: string, rebasing: Rebasing): Promise<Stopped | undefined> {
  const answer = await git.run(headCall(worktree));
  if (answer.status !== 0) return undefined;
  const [commit = '', tree = '', ...gitDir] = answer.stdout.replace(/\n$/, '').split('\n');
  const note = (await git.files.readPlain(join(gitDir.join('\n'), 'rebase-merge', 'stopped-sha'), LONGEST_NOTE))?.trim() ?? '';
  // git writes the whole hash, or its first digits.
  if (!/^[0-9a-f]{7,64}$/.test(note)) return undefined;
  const commits = await commitsToMove(git, worktree, rebasing);
  const index = commits.findIndex(({ sha }) => sha.startsWith(note));
  const stopped = commits[index];
  if (stopped === undefined) return undefined;
  return {
    commit: stopped.sha,
    subject: stopped.message.split('\n', 1)[0] ?? '',
    progress: { position: index + 1, total: commits.length },
    parent: stopped.parents[0],
    head: { commit, tree },
  };
}
